//! InvertPermutation: where each number went.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{RealNumber, Result, Status, Tensor, dispatch_index};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "InvertPermutation(x: T) -> (y: T)
                T: {int32, int64} = int32",
        )?
        .shape(infer)
        .not_differentiable(),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let input = cx.input(0);
    if input.rank() != 1 {
        return Err(Status::invalid_argument("invert_permutation expects a 1D vector."));
    }
    let output = dispatch_index!(input.dtype(), "InvertPermutation", T => invert::<T>(input))?;
    cx.set_output(0, output);
    Ok(())
}

fn invert<T: RealNumber>(input: &Tensor) -> Result<Tensor> {
    let values = input.as_slice::<T>()?;
    let unset = T::zero().sub_w(T::one());
    let mut output = Tensor::build(input.shape(), |out: &mut [T]| out.fill(unset))?;
    let out =
        output.as_mut_slice::<T>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    for (i, &value) in values.iter().enumerate() {
        let place = value.to_usize().and_then(|v| out.get_mut(v)).ok_or_else(|| {
            Status::invalid_argument(format!("{value:?} is not between 0 and {}", values.len()))
        })?;
        if *place != unset {
            return Err(Status::invalid_argument(format!("{value:?} is duplicated in the input.")));
        }
        // An index below the length of a tensor of T's fits T for any permutation of that length.
        *place = T::from_usize(i).ok_or_else(|| {
            Status::invalid_argument(
                "permutation of nonnegative int32s must have <= int32 max elements",
            )
        })?;
    }
    Ok(output)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let shape: PartialShape = cx.with_rank(0, 1)?;
    cx.set_output(0, shape);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    #[test]
    fn permutations_invert() {
        let run = |x: &[i32]| {
            OpTest::new(register, "InvertPermutation").input(Tensor::vector(x).unwrap()).run_one()
        };
        assert_eq!(run(&[3, 0, 2, 1]).unwrap().as_slice::<i32>().unwrap(), &[1, 3, 2, 0]);
        assert_eq!(run(&[]).unwrap().len(), 0);
        assert!(run(&[0, 0]).is_err());
        assert!(run(&[0, 2]).is_err());
        assert!(run(&[-1, 0]).is_err());
    }
}
