//! L2Loss, Cross and HistogramFixedWidth.

use downpour_graph::{Gradient, GradientContext, OpSpec, PartialShape, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{
    DataType, RealNumber, Result, Status, Tensor, dispatch_float, dispatch_over, dispatch_real,
};

use crate::reduce;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "L2Loss(t: T) -> (output: T)
                T: {half, bfloat16, float, double}",
        )?
        .shape(shapes::scalar)
        .gradient(|cx| {
            let (t, grad) = (cx.input(0), cx.grad(0)?);
            Ok(vec![Gradient::Dense(cx.op("Mul", &[t, grad])?)])
        })
        .tolerance(1e-5),
        |_| Ok(KernelBox::function(l2_loss)),
    )?;
    registry.add(
        OpSpec::new(
            "Cross(a: T, b: T) -> (product: T)
                T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}",
        )?
        .shape(cross_shape)
        .gradient(cross_gradient),
        |_| Ok(KernelBox::function(cross)),
    )?;
    registry.add(
        OpSpec::new(
            "HistogramFixedWidth(values: T, value_range: T, nbins: int32) -> (out: dtype)
                T: {int32, int64, float, double}
                dtype: {int32, int64} = int32",
        )?
        .shape(histogram_shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(histogram)),
    )
}

fn l2_loss(cx: &mut OpContext<'_>) -> Result<()> {
    let t = cx.input(0);
    let out = dispatch_float!(t.dtype(), "L2Loss", T => {
        let sum = reduce::sum_of_squares::<T>(cx.parallel(), t)?;
        Ok(Tensor::scalar(T::from_f64_lossy(sum / 2.0)))
    })?;
    cx.set_output(0, out);
    Ok(())
}

fn cross(cx: &mut OpContext<'_>) -> Result<()> {
    let (a, b) = (cx.input(0), cx.input(1));
    if a.shape() != b.shape() {
        return Err(Status::invalid_argument(format!(
            "Both inputs must be of same shape: {} vs. {}",
            a.shape(),
            b.shape()
        )));
    }
    match a.dims().last() {
        None => return Err(Status::invalid_argument("Input must be at least 1D")),
        Some(3) => {}
        Some(_) => {
            return Err(Status::failed_precondition(
                "Cross-products are only defined for 3-element vectors.",
            ));
        }
    }
    let out = dispatch_real!(a.dtype(), "Cross", T => {
        let (x, y) = (a.as_slice::<T>()?, b.as_slice::<T>()?);
        Tensor::build(a.shape(), |out: &mut [T]| {
            for ((out, x), y) in out.chunks_exact_mut(3).zip(x.chunks_exact(3)).zip(y.chunks_exact(3)) {
                for (i, out) in out.iter_mut().enumerate() {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    *out = x[j].mul_w(y[k]).sub_w(x[k].mul_w(y[j]));
                }
            }
        })
    })?;
    cx.set_output(0, out);
    Ok(())
}

fn cross_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let (a, b) = (cx.with_rank_at_least(0, 1)?, cx.with_rank_at_least(1, 1)?);
    let shape = cx.merge(a, b)?;
    if let Some(rank) = shape.rank() {
        cx.merge_dim(shape.dim(rank - 1), Some(3))?;
    }
    cx.set_output(0, shape);
    Ok(())
}

fn cross_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let (a, b, grad) = (cx.input(0), cx.input(1), cx.grad(0)?);
    Ok(vec![
        Gradient::Dense(cx.op("Cross", &[b, grad])?),
        Gradient::Dense(cx.op("Cross", &[grad, a])?),
    ])
}

fn histogram(cx: &mut OpContext<'_>) -> Result<()> {
    let (values, range, bins) = (cx.input(0), cx.input(1), cx.input(2));
    if range.rank() != 1 {
        return Err(Status::invalid_argument("value_range should be a vector."));
    }
    if range.len() != 2 {
        return Err(Status::invalid_argument("value_range should be a vector of 2 elements."));
    }
    if bins.rank() != 0 {
        return Err(Status::invalid_argument("nbins should be a scalar."));
    }
    let bins = bins.to_i64_scalar()?;
    let counts = dispatch_over!(values.dtype(), "HistogramFixedWidth", T => {
        let range = range.as_slice::<T>()?;
        // Written so that a range with not-a-number fails too.
        if !matches!(range[0].partial_cmp(&range[1]), Some(std::cmp::Ordering::Less)) {
            return Err(Status::invalid_argument(format!(
                "value_range should satisfy value_range[0] < value_range[1], but got '[{}, {}]'",
                range[0], range[1]
            )));
        }
        if bins <= 0 {
            return Err(Status::invalid_argument(format!(
                "nbins should be a positive number, but got '{bins}'"
            )));
        }
        count_bins(values.as_slice::<T>()?, range, bins as usize)
    }, Float: f32, Double: f64, Int32: i32, Int64: i64)?;
    let out = match cx.node().output_dtype(0) {
        DataType::Int64 => counts,
        _ => {
            let narrow: Vec<i32> = counts.as_slice::<i64>()?.iter().map(|&c| c as i32).collect();
            Tensor::vector(&narrow)?
        }
    };
    cx.set_output(0, out);
    Ok(())
}

fn count_bins<T: RealNumber>(values: &[T], range: &[T], bins: usize) -> Result<Tensor> {
    let mut counts = Tensor::zeros(DataType::Int64, [bins])?;
    let out = counts.as_mut_slice::<i64>().expect("a new tensor of this type");
    if bins == 1 {
        out[0] = values.len() as i64;
        return Ok(counts);
    }
    let (low, high) = (range[0].to_f64_lossy(), range[1].to_f64_lossy());
    // The bounds are divided before they are subtracted, lest their difference overflow.
    let step = high / bins as f64 - low / bins as f64;
    for &value in values {
        if value.is_nan_value() {
            return Err(Status::invalid_argument("Histogram values must not contain NaN"));
        }
        let clamped = value.to_f64_lossy().clamp(low, high);
        let bin = ((clamped - low) / step).min((bins - 1) as f64);
        out[bin as usize] += 1;
    }
    Ok(counts)
}

fn histogram_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let range = cx.with_rank(1, 1)?;
    cx.merge_dim(range.dim(0), Some(2))?;
    cx.with_rank(2, 0)?;
    let bins = match cx.constant_ints(2).as_deref() {
        Some(&[n]) => Some(usize::try_from(n).map_err(|_| {
            Status::invalid_argument(format!(
                "Dimension size, given by nbins, is {n} for {}",
                cx.describe()
            ))
        })?),
        _ => None,
    };
    cx.set_output(0, PartialShape::vector(bins));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn half_the_sum_of_squares() {
        let t = Tensor::vector(&[1f32, -2., 3.]).unwrap();
        let out = OpTest::new(register, "L2Loss").input(t).run_one().unwrap();
        assert_eq!(out.to_scalar::<f32>().unwrap(), 7.0);
        let empty = Tensor::from_vec([0], Vec::<f64>::new()).unwrap();
        let out = OpTest::new(register, "L2Loss").input(empty).run_one().unwrap();
        assert_eq!(out.to_scalar::<f64>().unwrap(), 0.0);
    }

    #[test]
    fn cross_products() {
        let run = |a: &[i32], b: &[i32]| {
            OpTest::new(register, "Cross")
                .input(Tensor::vector(a).unwrap())
                .input(Tensor::vector(b).unwrap())
                .run_one()
        };
        assert_eq!(run(&[1, 0, 0], &[0, 1, 0]).unwrap().as_slice::<i32>().unwrap(), &[0, 0, 1]);
        assert!(run(&[1, 0], &[0, 1]).is_err());
        assert!(run(&[1, 0, 0], &[0, 1]).is_err());
    }

    #[test]
    fn values_outside_the_range_fall_into_the_last_bins() {
        let run = |values: &[f32], range: &[f32], bins: i32| {
            OpTest::new(register, "HistogramFixedWidth")
                .input(Tensor::vector(values).unwrap())
                .input(Tensor::vector(range).unwrap())
                .input(Tensor::scalar(bins))
                .run_one()
        };
        let out = run(&[-1., 0., 1.5, 2., 5., 15.], &[0., 5.], 5).unwrap();
        assert_eq!(out.as_slice::<i32>().unwrap(), &[2, 1, 1, 0, 2]);
        assert!(run(&[1.], &[5., 0.], 5).is_err());
        assert!(run(&[1.], &[0., 5.], 0).is_err());
        assert!(run(&[f32::NAN], &[0., 5.], 2).is_err());
    }
}
