//! Reverse and ReverseV2: elements in opposite order along some axes.

use downpour_graph::{Gradient, GradientContext, OpSpec, ShapeContext, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status, Tensor};
use smallvec::SmallVec;

use crate::movement::{StridedCopy, move_one};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Reverse(tensor: T, dims: bool) -> (output: T)
                T: {uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string}",
        )?
        .shape(shapes::unchanged)
        .gradient(gradient),
        |_| Ok(KernelBox::function(reverse)),
    )?;
    registry.add(
        OpSpec::new(
            "ReverseV2(tensor: T, axis: Tidx) -> (output: T)
                Tidx: {int32, int64} = int32
                T: {uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string}",
        )?
        .shape(infer_v2)
        .gradient(gradient),
        |_| Ok(KernelBox::function(reverse_v2)),
    )
}

type Flags = SmallVec<[bool; 6]>;

fn reverse(cx: &mut OpContext<'_>) -> Result<()> {
    let dims = cx.input(1);
    let rank = cx.input(0).rank();
    if rank > 0 {
        if dims.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "'dims' must be 1-dimension, not {}",
                dims.rank()
            )));
        }
        if dims.len() != rank {
            return Err(Status::invalid_argument(format!(
                "'dims' must have the same number of values as 'input' has dimensions. 'input' \
                 has {rank}'dims' has {} values",
                dims.len()
            )));
        }
        if cx.input(0).dims()[0] == 0 {
            return Err(Status::invalid_argument("Invalid input first dimension. Found 0."));
        }
    }
    let flags: Flags = if rank == 0 { Flags::new() } else { dims.as_slice::<bool>()?.into() };
    turn(cx, &flags)
}

fn reverse_v2(cx: &mut OpContext<'_>) -> Result<()> {
    let rank = cx.input(0).rank();
    if rank == 0 {
        return turn(cx, &[]);
    }
    let flags = named_axes(cx.input(1), rank)?;
    turn(cx, &flags)
}

fn named_axes(axes: &Tensor, rank: usize) -> Result<Flags> {
    if axes.rank() != 1 {
        return Err(Status::invalid_argument(format!(
            "'dims' must be 1-dimension, not {}",
            axes.rank()
        )));
    }
    let mut flags = Flags::from_elem(false, rank);
    for (i, &axis) in axes.to_i64_vec()?.iter().enumerate() {
        let at = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
        if !(0..rank as i64).contains(&at) {
            return Err(Status::invalid_argument(format!(
                "'axis'[{i}] = {axis} is out of valid range [0, {}",
                rank - 1
            )));
        }
        if std::mem::replace(&mut flags[at as usize], true) {
            return Err(Status::invalid_argument(format!("axis {at} specified more than once.")));
        }
    }
    Ok(flags)
}

fn turn(cx: &mut OpContext<'_>, flags: &[bool]) -> Result<()> {
    let input = cx.take(0);
    let unchanged = flags.iter().zip(input.dims()).all(|(&turn, &d)| !turn || d == 1);
    if input.is_empty() || unchanged {
        cx.set_output(0, input);
        return Ok(());
    }
    let strides = input.shape().strides();
    let mut start = 0;
    let mut axes: SmallVec<[(usize, isize); 6]> = SmallVec::new();
    for (i, &turn) in flags.iter().enumerate() {
        let (size, stride) = (input.dims()[i], strides[i]);
        if turn {
            start += (size - 1) * stride;
        }
        axes.push((size, if turn { -(stride as isize) } else { stride as isize }));
    }
    let copy = StridedCopy::gather(axes.into_iter(), start);
    let output = move_one(cx.parallel(), &input, input.shape(), copy)?;
    cx.set_output(0, output);
    Ok(())
}

fn infer_v2(cx: &mut ShapeContext<'_>) -> Result<()> {
    if let (Some(rank), Some(axes)) = (cx.input(0).rank(), cx.constant(1))
        && rank > 0
    {
        named_axes(axes, rank).map_err(|e| e.context(cx.describe()))?;
    }
    shapes::unchanged(cx)
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let op = cx.node().op_name().to_string();
    Ok(vec![Gradient::Dense(cx.op(&op, &[grad, cx.input(1)])?), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(axes: &[i32]) -> Result<Tensor> {
        OpTest::new(register, "ReverseV2")
            .input(Tensor::from_vec([2, 3], vec![1u16, 2, 3, 4, 5, 6]).unwrap())
            .input(Tensor::vector(axes).unwrap())
            .run_one()
    }

    #[test]
    fn named_axes_turn() {
        let values = |axes: &[i32]| run(axes).unwrap().as_slice::<u16>().unwrap().to_vec();
        assert_eq!(values(&[0]), [4, 5, 6, 1, 2, 3]);
        assert_eq!(values(&[-1]), [3, 2, 1, 6, 5, 4]);
        assert_eq!(values(&[0, 1]), [6, 5, 4, 3, 2, 1]);
        assert_eq!(values(&[]), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn bad_axes_are_refused() {
        assert!(run(&[2]).unwrap_err().message().contains("is out of valid range"));
        assert!(run(&[i32::MIN]).is_err());
        assert!(run(&[0, -2]).unwrap_err().message().contains("axis 0 specified more than once"));
    }

    #[test]
    fn flags_in_the_old_form() {
        let test = |x: Tensor| {
            OpTest::new(register, "Reverse")
                .input(x)
                .input(Tensor::vector(&[true]).unwrap())
                .run_one()
        };
        let y = test(Tensor::vector(&[1i32, 2]).unwrap()).unwrap();
        assert_eq!(y.as_slice::<i32>().unwrap(), &[2, 1]);
        assert!(test(Tensor::from_vec([0], Vec::<i32>::new()).unwrap()).is_err());
        assert!(test(Tensor::from_vec([1, 1], vec![1i32]).unwrap()).is_err());
    }
}
