//! OneHot: a new axis that is "on" at the index and "off" elsewhere.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::indices::Indices;
use crate::units::{Unit, dispatch_units};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> (output: T)
                axis: int = -1
                T: type
                TI: {uint8, int8, int32, int64} = int64",
        )?
        .shape(shape)
        .not_differentiable(),
        |build| Ok(KernelBox::new(OneHot { axis: build.int("axis")? })),
    )
}

struct OneHot {
    axis: i64,
}

impl Kernel for OneHot {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let indices = cx.input(0);
        let rank = indices.rank();
        if self.axis != -1 && !(0..=rank as i64).contains(&self.axis) {
            return Err(Status::invalid_argument(format!(
                "Expected axis to be -1 or between [0, {}).  But received: {}",
                rank + 1,
                self.axis
            )));
        }
        for (i, name) in [(1, "depth"), (2, "on_value"), (3, "off_value")] {
            if cx.input(i).rank() != 0 {
                return Err(Status::invalid_argument(format!(
                    "{name} must be a scalar, but got: {}",
                    cx.input(i).shape()
                )));
            }
        }
        let depth = cx.input(1).to_scalar::<i32>()?;
        let depth = usize::try_from(depth).map_err(|_| {
            Status::invalid_argument(format!("depth must be non-negative, got: {depth}"))
        })?;
        let axis = if self.axis == -1 { rank } else { self.axis as usize };
        let dims = indices.dims();
        let shape: Shape =
            dims[..axis].iter().chain(&[depth]).chain(&dims[axis..]).copied().collect();
        let suffix: usize = dims[axis..].iter().product();
        let output = dispatch_units!(cx.input(2).dtype(), T => {
            fill::<T>(cx, shape, depth, suffix)
        })?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn fill<T: Unit>(cx: &OpContext<'_>, shape: Shape, depth: usize, suffix: usize) -> Result<Tensor> {
    let (on, off) = (T::view(cx.input(2))?, T::view(cx.input(3))?);
    let indices = Indices::of(cx.input(0))?;
    T::build(cx.input(2).dtype(), shape, |out| {
        if out.is_empty() {
            return Ok(());
        }
        // One block per position in front of the new axis.
        let block = depth * suffix;
        cx.parallel().for_chunks(out, block, (16 * 1024 / block).max(1), |first, chunk| {
            chunk.fill(off[0].clone());
            for (i, part) in chunk.chunks_exact_mut(block).enumerate() {
                for k in 0..suffix {
                    let index = indices.get((first + i) * suffix + k);
                    if (index as u64) < depth as u64 {
                        part[index as usize * suffix + k] = on[0].clone();
                    }
                }
            }
        });
        Ok(())
    })
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let axis = cx.node().int("axis")?;
    if axis < -1 {
        return Err(Status::invalid_argument(format!("axis must be >= -1 for {}", cx.describe())));
    }
    cx.with_rank(1, 0)?;
    let depth = match cx.constant_ints(1).as_deref() {
        Some([depth]) => Some(usize::try_from(*depth).map_err(|_| {
            Status::invalid_argument(format!(
                "depth must be non-negative, got: {depth} for {}",
                cx.describe()
            ))
        })?),
        _ => None,
    };
    let Some(rank) = cx.input(0).rank() else { return Ok(()) };
    let at = if axis == -1 { rank } else { axis as usize % (rank + 1) };
    let out = cx
        .input(0)
        .subshape(0, at)
        .concat(&PartialShape::vector(depth))
        .concat(&cx.input(0).subshape(at, rank));
    cx.set_output(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn test(indices: Tensor, depth: i32) -> OpTest {
        OpTest::new(register, "OneHot")
            .input(indices)
            .input(Tensor::scalar(depth))
            .input(Tensor::scalar(1f32))
            .input(Tensor::scalar(0f32))
    }

    #[test]
    fn last_and_first_axis() {
        let i = || Tensor::vector(&[1i64, -1, 5, 0]).unwrap();
        let y = test(i(), 2).run_one().unwrap();
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let y = test(i(), 2).attr("axis", 0i64).run_one().unwrap();
        assert_eq!(y.dims(), &[2, 4]);
        assert_eq!(y.as_slice::<f32>().unwrap(), &[0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(test(Tensor::scalar(0u8), 0).run_one().unwrap().dims(), &[0]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        let i = || Tensor::vector(&[1i64]).unwrap();
        assert!(test(i(), -1).run_one().is_err());
        assert!(test(i(), 2).attr("axis", 2i64).run_values().is_err());
        assert!(test(i(), 2).attr("axis", -2i64).run_values().is_err());
    }
}
