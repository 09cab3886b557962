//! ReverseSequence: the beginning of each sequence of a batch in opposite order.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Status};

use crate::movement::{Axes, Moves, StridedCopy, rearrange};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "ReverseSequence(input: T, seq_lengths: Tlen) -> (output: T)
                seq_dim: int
                batch_dim: int = 0
                T: type
                Tlen: {int32, int64} = int64",
        )?
        .shape(infer)
        .gradient(gradient),
        factory,
    )
}

struct ReverseSequence {
    sequence: usize,
    batch: usize,
}

fn factory(build: &KernelBuild<'_>) -> Result<KernelBox> {
    let axis = |name: &str| {
        let axis = build.int(name)?;
        usize::try_from(axis)
            .map_err(|_| Status::invalid_argument(format!("Invalid {name} {axis}")))
    };
    Ok(KernelBox::new(ReverseSequence { batch: axis("batch_dim")?, sequence: axis("seq_dim")? }))
}

impl Kernel for ReverseSequence {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let (sequence, batch) = (self.sequence, self.batch);
        let lengths = cx.input(1);
        if lengths.rank() != 1 {
            return Err(Status::invalid_argument(format!(
                "seq_lengths must be 1-dim, not {}",
                lengths.rank()
            )));
        }
        let lengths = lengths.to_i64_vec()?;
        let input = cx.take(0);
        if batch == sequence {
            return Err(Status::invalid_argument(format!("batch_dim == seq_dim == {sequence}")));
        }
        for (name, axis) in [("seq_dim", sequence), ("batch_dim", batch)] {
            if axis >= input.rank() {
                return Err(Status::invalid_argument(format!(
                    "{name} must be < input rank ( {axis} vs. {})",
                    input.rank()
                )));
            }
        }
        if lengths.len() != input.dims()[batch] {
            return Err(Status::invalid_argument(format!(
                "Length of seq_lengths != input.dims({batch}), ({} vs. {})",
                lengths.len(),
                input.dims()[batch]
            )));
        }
        for (i, &length) in lengths.iter().enumerate() {
            if length < 0 {
                return Err(Status::invalid_argument(format!("seq_lens({i}) < 0")));
            }
            if length > input.dims()[sequence] as i64 {
                return Err(Status::invalid_argument(format!(
                    "seq_lens({i}) > input.dims({sequence})"
                )));
            }
        }
        if input.is_empty() {
            cx.set_output(0, input);
            return Ok(());
        }
        let strides = input.shape().strides();
        let mut moves = Moves::default();
        for (i, &length) in lengths.iter().enumerate() {
            let start = i * strides[batch];
            let part = |first: usize, count: usize, turn: bool| {
                let axes: Axes = (0..input.rank())
                    .filter(|&axis| axis != batch)
                    .map(|axis| {
                        let stride = strides[axis] as isize;
                        match axis == sequence {
                            true => (count, if turn { -stride } else { stride }, stride),
                            false => (input.dims()[axis], stride, stride),
                        }
                    })
                    .collect();
                let to = start + first * strides[sequence];
                let from = if turn { to + (count - 1) * strides[sequence] } else { to };
                StridedCopy::new(axes, from, to)
            };
            let length = length as usize;
            if length > 0 {
                moves.push(0, part(0, length, true));
            }
            if length < input.dims()[sequence] {
                moves.push(0, part(length, input.dims()[sequence] - length, false));
            }
        }
        let output = rearrange(cx.parallel(), input.dtype(), input.shape(), &[&input], &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    let lengths = cx.with_rank(1, 1)?;
    let input = cx.input(0);
    if let Some(rank) = input.rank() {
        for name in ["batch_dim", "seq_dim"] {
            let axis = cx.node().int(name)?;
            if axis < 0 || axis >= rank as i64 {
                return Err(Status::invalid_argument(format!(
                    "{name} must be < input rank: {axis} vs. {rank}"
                )));
            }
        }
        let batch = cx.node().int("batch_dim")? as usize;
        cx.merge_dim(input.dim(batch), lengths.dim(0))?;
    }
    cx.set_output(0, input.clone());
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let attrs = Attrs::new()
        .with("seq_dim", cx.node().int("seq_dim")?)
        .with("batch_dim", cx.node().int("batch_dim")?);
    let back = cx.op_with("ReverseSequence", &[grad, cx.input(1)], attrs)?;
    Ok(vec![Gradient::Dense(back), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;
    use downpour_tensor::{ByteString, Tensor};

    fn run(sequence: i64, batch: i64, lengths: &[i64]) -> Result<Tensor> {
        OpTest::new(register, "ReverseSequence")
            .attr("seq_dim", sequence)
            .attr("batch_dim", batch)
            .input(Tensor::from_vec([2, 3], vec![1i32, 2, 3, 4, 5, 6]).unwrap())
            .input(Tensor::vector(lengths).unwrap())
            .run_one()
    }

    #[test]
    fn beginnings_turn() {
        let values = |t: Tensor| t.as_slice::<i32>().unwrap().to_vec();
        assert_eq!(values(run(1, 0, &[2, 3]).unwrap()), [2, 1, 3, 6, 5, 4]);
        assert_eq!(values(run(0, 1, &[2, 0, 1]).unwrap()), [4, 2, 3, 1, 5, 6]);
    }

    #[test]
    fn strings_turn_too() {
        let strings = (0..24u8).map(|i| ByteString::from_vec(vec![i]).unwrap()).collect();
        let y = OpTest::new(register, "ReverseSequence")
            .attr("seq_dim", 0i64)
            .attr("batch_dim", 2i64)
            .input(Tensor::from_strings([4, 2, 3, 1, 1], strings).unwrap())
            .input(Tensor::vector(&[3i64, 0, 4]).unwrap())
            .run_one()
            .unwrap();
        let first: Vec<u8> = y.strings().unwrap()[..6].iter().map(|s| s[0]).collect();
        assert_eq!(first, [12, 1, 20, 15, 4, 23]);
    }

    #[test]
    fn bad_arguments_are_refused() {
        assert!(run(1, 0, &[4, 0]).is_err());
        assert!(run(1, 0, &[-1, 0]).is_err());
        assert!(run(1, 0, &[1]).is_err());
        assert!(run(1, 1, &[1, 1, 1]).is_err());
        assert!(run(-1, 0, &[1, 1]).is_err());
        assert!(run(1, -1, &[1, 1]).is_err());
        assert!(run(2, 0, &[1, 1]).is_err());
    }
}
