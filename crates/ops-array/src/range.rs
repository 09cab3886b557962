//! Range and LinSpace: evenly spaced numbers.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, Tensor, dispatch_float, dispatch_real};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Range(start: Tidx, limit: Tidx, delta: Tidx) -> (output: Tidx)
                Tidx: {bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64} = int32",
        )?
        .shape(range_shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(range)),
    )?;
    registry.add(
        OpSpec::new(
            "LinSpace(start: T, stop: T, num: Tidx) -> (output: T)
                T: {bfloat16, half, float, double}
                Tidx: {int32, int64} = int32",
        )?
        .shape(linspace_shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(linspace)),
    )
}

fn range(cx: &mut OpContext<'_>) -> Result<()> {
    for i in 0..3 {
        let input = cx.input(i);
        // Old graphs give [1] for a scalar.
        if input.len() != 1 || input.rank() > 1 {
            return Err(cx.bad_input(i, format!("must be a scalar, not shape {}", input.shape())));
        }
    }
    let output = dispatch_real!(cx.input(0).dtype(), "Range", T => {
        let (start, limit, delta) = (
            cx.input(0).to_scalar::<T>()?,
            cx.input(1).to_scalar::<T>()?,
            cx.input(2).to_scalar::<T>()?,
        );
        let count = count(start, limit, delta)?;
        Tensor::build([count], |out: &mut [T]| {
            if T::IS_INTEGER {
                let mut next = start;
                for o in out {
                    *o = next;
                    next = next.add_w(delta);
                }
                return;
            }
            for (i, o) in out.iter_mut().enumerate() {
                *o = start.add_w(T::from_f64_lossy(i as f64).mul_w(delta));
            }
        })
    })?;
    cx.set_output(0, output);
    Ok(())
}

/// How many numbers there are from `start` (included) to `limit` (excluded).
fn count<T: RealNumber + std::fmt::Debug>(start: T, limit: T, delta: T) -> Result<usize> {
    let zero = T::zero();
    if delta == zero || delta.is_nan_value() {
        return Err(Status::invalid_argument(format!("Requires delta != 0: {delta:?}")));
    }
    let (sign, reachable) =
        if delta > zero { ('>', start <= limit) } else { ('<', start >= limit) };
    if !reachable {
        let order = if sign == '>' { "<=" } else { ">=" };
        return Err(Status::invalid_argument(format!(
            "Requires start {order} limit when delta {sign} 0: {start:?}/{limit:?}"
        )));
    }
    let too_many =
        || Status::invalid_argument(format!("Requires ((limit - start) / delta) <= {}", i64::MAX));
    if T::IS_INTEGER {
        let wide = |v: T| v.to_i128().unwrap_or(0);
        let steps = (wide(limit) - wide(start)).unsigned_abs().div_ceil(wide(delta).unsigned_abs());
        return i64::try_from(steps).map(|n| n as usize).map_err(|_| too_many());
    }
    // The quotient is rounded to the type before it is rounded up, as TensorFlow does.
    let steps = T::from_f64_lossy(
        T::from_f64_lossy(limit.to_f64_lossy() - start.to_f64_lossy()).to_f64_lossy()
            / delta.to_f64_lossy(),
    );
    let steps = steps.to_f64_lossy().abs().ceil();
    if steps.is_nan() || steps >= i64::MAX as f64 {
        return Err(too_many());
    }
    Ok(steps as usize)
}

fn linspace(cx: &mut OpContext<'_>) -> Result<()> {
    for i in 0..3 {
        let input = cx.input(i);
        if input.rank() != 0 {
            return Err(cx.bad_input(i, format!("must be a scalar, not shape {}", input.shape())));
        }
    }
    let num = cx.input(2).to_i64_scalar()?;
    if num <= 0 {
        return Err(Status::invalid_argument(format!("Requires num > 0: {num}")));
    }
    let num = num as usize;
    let output = dispatch_float!(cx.input(0).dtype(), "LinSpace", T => {
        let (start, stop) = (cx.input(0).to_scalar::<T>()?, cx.input(1).to_scalar::<T>()?);
        Tensor::build([num], |out: &mut [T]| {
            let gaps = T::from_f64_lossy((num.max(2) - 1) as f64);
            let step = (stop - start) / gaps;
            for (i, o) in out.iter_mut().enumerate() {
                *o = start + step * T::from_f64_lossy(i as f64);
            }
            // Rounding must not move the ends.
            out[num - 1] = stop;
            out[0] = start;
        })
    })?;
    cx.set_output(0, output);
    Ok(())
}

fn range_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let mut length = None;
    if let (Some(start), Some(limit), Some(delta)) =
        (cx.constant(0), cx.constant(1), cx.constant(2))
    {
        length = Some(dispatch_real!(start.dtype(), "Range", T => {
            count(start.to_scalar::<T>()?, limit.to_scalar::<T>()?, delta.to_scalar::<T>()?)
        })?);
    }
    cx.set_output(0, PartialShape::vector(length));
    Ok(())
}

fn linspace_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    for i in 0..3 {
        cx.with_rank(i, 0)?;
    }
    let num = cx.constant_ints(2).and_then(|n| n.first().copied());
    if let Some(num) = num
        && num <= 0
    {
        return Err(Status::invalid_argument(format!("Requires num > 0: {num}")));
    }
    cx.set_output(0, PartialShape::vector(num.map(|n| n as usize)));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{Element, bf16};

    fn range<T: Element>(start: T, limit: T, delta: T) -> Result<Tensor> {
        OpTest::new(register, "Range")
            .input(Tensor::scalar(start))
            .input(Tensor::scalar(limit))
            .input(Tensor::scalar(delta))
            .run_one()
    }

    #[test]
    fn ranges() {
        assert_eq!(range(3, 18, 3).unwrap().as_slice::<i32>().unwrap(), &[3, 6, 9, 12, 15]);
        assert_eq!(range(5i64, 0, -2).unwrap().as_slice::<i64>().unwrap(), &[5, 3, 1]);
        assert_eq!(range(0f32, 1.0, 0.25).unwrap().len(), 4);
        assert_eq!(range(2, 2, 1).unwrap().len(), 0);
        let b = bf16::from_f32;
        assert_eq!(range(b(0.0), b(3.0), b(1.0)).unwrap().len(), 3);
        let ends = range(i64::MIN + 1, i64::MAX, i64::MAX).unwrap();
        assert_eq!(ends.as_slice::<i64>().unwrap(), &[i64::MIN + 1, 0]);
    }

    #[test]
    fn impossible_ranges() {
        assert!(range(0, 1, 0).is_err());
        assert!(range(0, 1, -1).is_err());
        assert!(range(1, 0, 1).is_err());
        assert!(range(0f32, f32::INFINITY, 1.0).is_err());
        assert!(range(f32::NAN, 1.0, 1.0).is_err());
        assert!(range(i64::MIN, i64::MAX, 1).is_err());
    }

    #[test]
    fn linear_spaces() {
        let run = |num: i32| {
            OpTest::new(register, "LinSpace")
                .input(Tensor::scalar(1f32))
                .input(Tensor::scalar(5f32))
                .input(Tensor::scalar(num))
                .run_one()
        };
        assert_eq!(run(3).unwrap().as_slice::<f32>().unwrap(), &[1.0, 3.0, 5.0]);
        assert_eq!(run(1).unwrap().as_slice::<f32>().unwrap(), &[1.0]);
        assert!(run(0).is_err());
    }
}
