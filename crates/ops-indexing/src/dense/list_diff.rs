//! ListDiff: what stands in one list and not in the other.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::indices::index_vector;
use crate::keys::{Key, KeyMap, dispatch_keys};
use crate::units::Unit;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ListDiff(x: T, y: T) -> (out: T, idx: out_idx)
                T: type
                out_idx: {int32, int64} = int32",
        )?
        .shape(shape)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (x, y) = (cx.input(0), cx.input(1));
    for (name, tensor) in [("x", x), ("y", y)] {
        if tensor.rank() != 1 {
            return Err(Status::invalid_argument(format!("{name} should be a 1D vector.")));
        }
    }
    if x.len() >= i32::MAX as usize {
        return Err(Status::invalid_argument("x too large for int32 indexing"));
    }
    let kept = dispatch_keys!(x.dtype(), "ListDiff", T => kept::<T>(x, y))?;
    let output = dispatch_keys!(x.dtype(), "ListDiff", T => {
        let values = T::view(x)?;
        T::build(x.dtype(), Shape::from([kept.len()]), |out| {
            out.iter_mut().zip(&kept).for_each(|(o, &i)| *o = values[i].clone());
            Ok(())
        })
    })?;
    let dtype = cx.node().output_dtype(1);
    cx.set_output(0, output);
    cx.set_output(1, index_vector(dtype, [kept.len()], kept.iter().map(|&i| i as i64))?);
    Ok(())
}

/// Positions of the elements of `x` that are not in `y`.
fn kept<T: Unit + Key>(x: &Tensor, y: &Tensor) -> Result<Vec<usize>> {
    let dtype = x.dtype();
    let excluded: KeyMap<T, ()> =
        T::view(y)?.iter().filter_map(|v| Some((T::normal(dtype, v)?, ()))).collect();
    let values = T::view(x)?.iter().enumerate();
    Ok(values
        .filter(|(_, v)| T::normal(dtype, v).is_none_or(|key| !excluded.contains_key(&key)))
        .map(|(i, _)| i)
        .collect())
}

fn shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    cx.with_rank(1, 1)?;
    cx.set_output(0, PartialShape::vector(None));
    cx.set_output(1, PartialShape::vector(None));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn duplicates_and_order_are_kept() {
        let out = OpTest::new(register, "ListDiff")
            .input(Tensor::vector(&[5i32, 1, 3, 5, 2]).unwrap())
            .input(Tensor::vector(&[1i32, 2]).unwrap())
            .run()
            .unwrap();
        assert_eq!(out[0].as_slice::<i32>().unwrap(), &[5, 3, 5]);
        assert_eq!(out[1].as_slice::<i32>().unwrap(), &[0, 2, 3]);
        let bad = OpTest::new(register, "ListDiff")
            .input(Tensor::scalar(1i32))
            .input(Tensor::vector(&[1i32]).unwrap())
            .run();
        assert!(bad.is_err());
    }
}
