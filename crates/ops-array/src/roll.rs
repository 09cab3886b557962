//! Roll: elements move along axes and come back in at the other end.

use downpour_graph::{Gradient, GradientContext, OpSpec, shapes};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::movement::{Axes, Moves, StridedCopy, rearrange};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Roll(input: T, shift: Tshift, axis: Taxis) -> (output: T)
                T: type
                Tshift: {int32, int64}
                Taxis: {int32, int64}",
        )?
        .shape(shapes::unchanged)
        .gradient(gradient),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let (shift, axis) = (cx.input(1), cx.input(2));
    if cx.input(0).rank() == 0 {
        return Err(Status::invalid_argument("input must be 1-D or higher"));
    }
    for (name, tensor) in [("shift", shift), ("axis", axis)] {
        if tensor.rank() > 1 {
            return Err(Status::invalid_argument(format!(
                "{name} must be a scalar or a 1-D vector. Found: {}",
                tensor.shape()
            )));
        }
    }
    if shift.shape() != axis.shape() {
        return Err(Status::invalid_argument("shift and axis must have the same size"));
    }
    let (shift, axis) = (shift.to_i64_vec()?, axis.to_i64_vec()?);
    let input = cx.take(0);
    let mut shifts = vec![0usize; input.rank()];
    for (&shift, &axis) in shift.iter().zip(&axis) {
        let at = input
            .shape()
            .axis(axis)
            .ok_or_else(|| Status::invalid_argument(format!("axis {axis} is out of range")))?;
        let size = input.dims()[at].max(1);
        // Several shifts of one axis add up.
        shifts[at] = (shifts[at] + shift.rem_euclid(size as i64) as usize) % size;
    }
    if input.is_empty() || shifts.iter().all(|&s| s == 0) {
        cx.set_output(0, input);
        return Ok(());
    }
    let strides = input.shape().strides();
    // Each shifted axis falls into two segments; the output is the product of all segments.
    let mut boxes = vec![(Axes::new(), 0usize, 0usize)];
    for (i, &shift) in shifts.iter().enumerate() {
        let (size, stride) = (input.dims()[i], strides[i]);
        let segments = [(shift, size - shift, 0), (size - shift, 0, shift)];
        let mut next = Vec::new();
        for (axes, from, to) in &boxes {
            for &(count, first, place) in segments.iter().filter(|s| s.0 > 0) {
                let mut axes = axes.clone();
                axes.push((count, stride as isize, stride as isize));
                next.push((axes, from + first * stride, to + place * stride));
            }
        }
        boxes = next;
    }
    let mut moves = Moves::default();
    for (axes, from, to) in boxes {
        moves.push(0, StridedCopy::new(axes, from, to));
    }
    let output = rearrange(cx.parallel(), input.dtype(), input.shape(), &[&input], &moves)?;
    cx.set_output(0, output);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let back = cx.op("Neg", &[cx.input(1)])?;
    let rolled = cx.op("Roll", &[grad, back, cx.input(2)])?;
    Ok(vec![Gradient::Dense(rolled), Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::Tensor;

    fn run(shift: &[i32], axis: &[i32]) -> Result<Tensor> {
        OpTest::new(register, "Roll")
            .input(Tensor::from_vec([2, 3], vec![1i32, 2, 3, 4, 5, 6]).unwrap())
            .input(Tensor::vector(shift).unwrap())
            .input(Tensor::vector(axis).unwrap())
            .run_one()
    }

    #[test]
    fn elements_come_back() {
        let values = |t: Tensor| t.as_slice::<i32>().unwrap().to_vec();
        assert_eq!(values(run(&[1], &[1]).unwrap()), [3, 1, 2, 6, 4, 5]);
        assert_eq!(values(run(&[-1, 1], &[-1, 0]).unwrap()), [5, 6, 4, 2, 3, 1]);
        assert_eq!(values(run(&[4, -1], &[1, 1]).unwrap()), [1, 2, 3, 4, 5, 6]);
        assert!(run(&[1], &[2]).is_err());
        assert!(run(&[1, 2], &[0]).is_err());
        assert!(run(&[i32::MIN], &[0]).is_ok());
    }
}
