//! SpaceToBatch and BatchToSpace: blocks of space move into the batch axis and back.

use downpour_graph::{Attrs, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{Kernel, KernelBox, KernelBuild, OpContext, Registry};
use downpour_tensor::{Result, Shape, Status, Tensor};

use crate::movement::{Axes, Moves, StridedCopy, rearrange_into, zero_scalar};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "SpaceToBatch(input: T, paddings: Tpaddings) -> (output: T)
                T: type
                Tpaddings: {int32, int64} = int32
                block_size: int >= 2",
        )?
        .shape(|cx| infer(cx, true))
        .gradient(|cx| gradient(cx, "BatchToSpace")),
        |build| fixed(build, true),
    )?;
    registry.add(
        OpSpec::new(
            "BatchToSpace(input: T, crops: Tidx) -> (output: T)
                T: type
                block_size: int >= 2
                Tidx: {int32, int64} = int32",
        )?
        .shape(|cx| infer(cx, false))
        .gradient(|cx| gradient(cx, "SpaceToBatch")),
        |build| fixed(build, false),
    )?;
    registry.add(
        OpSpec::new(
            "SpaceToBatchND(input: T, block_shape: Tblock_shape, paddings: Tpaddings) -> (output: T)
                T: type
                Tblock_shape: {int32, int64} = int32
                Tpaddings: {int32, int64} = int32",
        )?
        .shape(|cx| infer(cx, true))
        .gradient(|cx| gradient(cx, "BatchToSpaceND")),
        |_| Ok(KernelBox::new(SpaceBatch { block: None, to_batch: true })),
    )?;
    registry.add(
        OpSpec::new(
            "BatchToSpaceND(input: T, block_shape: Tblock_shape, crops: Tcrops) -> (output: T)
                T: type
                Tblock_shape: {int32, int64} = int32
                Tcrops: {int32, int64} = int32",
        )?
        .shape(|cx| infer(cx, false))
        .gradient(|cx| gradient(cx, "SpaceToBatchND")),
        |_| Ok(KernelBox::new(SpaceBatch { block: None, to_batch: false })),
    )
}

fn fixed(build: &KernelBuild<'_>, to_batch: bool) -> Result<KernelBox> {
    let size = build.int("block_size")?;
    Ok(KernelBox::new(SpaceBatch { block: Some([size, size]), to_batch }))
}

struct SpaceBatch {
    /// The block of the forms that take it as an attribute.
    block: Option<[i64; 2]>,
    to_batch: bool,
}

impl Kernel for SpaceBatch {
    fn compute(&self, cx: &mut OpContext<'_>) -> Result<()> {
        let plan = match self.block {
            Some(block) => {
                if cx.input(0).rank() != 4 {
                    return Err(Status::invalid_argument(format!(
                        "Input rank should be: 4 instead of: {}",
                        cx.input(0).rank()
                    )));
                }
                Plan::new(cx.input(0).shape(), &block, cx.input(1), self.to_batch)?
            }
            None => {
                let block = cx.input(1);
                if block.rank() != 1 {
                    return Err(Status::invalid_argument(format!(
                        "block_shape rank should be 1 instead of {}",
                        block.rank()
                    )));
                }
                let block = block.to_i64_vec()?;
                Plan::new(cx.input(0).shape(), &block, cx.input(2), self.to_batch)?
            }
        };
        let input = cx.take(0);
        if plan.is_identity() {
            cx.set_output(0, input);
            return Ok(());
        }
        let zero = zero_scalar(input.dtype())?;
        // Allocated before planning, so that a huge block is refused before it is enumerated.
        let output = Tensor::new(input.dtype(), &plan.output)?;
        let moves = plan.moves(input.shape());
        let output = rearrange_into(cx.parallel(), output, &[&input, &zero], &moves)?;
        cx.set_output(0, output);
        Ok(())
    }
}

/// How space and batch exchange.
struct Plan {
    block: Vec<usize>,
    /// Padding or cropping at the beginning of each blocked axis.
    before: Vec<usize>,
    padded: bool,
    output: Shape,
    to_batch: bool,
}

impl Plan {
    fn new(input: &Shape, block: &[i64], pairs: &Tensor, to_batch: bool) -> Result<Plan> {
        let name = if to_batch { "paddings" } else { "crops" };
        let count = block.len();
        if input.rank() < count + 1 {
            return Err(Status::invalid_argument(format!(
                "input rank should be >= {} instead of {}",
                count + 1,
                input.rank()
            )));
        }
        if pairs.dims() != [count, 2] {
            return Err(Status::invalid_argument(format!(
                "{name} should have shape [{count}, 2] instead of {}",
                pairs.shape()
            )));
        }
        let mut product = 1usize;
        let mut sizes = Vec::with_capacity(count);
        for (i, &b) in block.iter().enumerate() {
            let b = usize::try_from(b).ok().filter(|&b| b > 0).ok_or_else(|| {
                Status::invalid_argument(format!(
                    "All values in block_shape must be positive, got value, {b} at index {i}."
                ))
            })?;
            product =
                product.checked_mul(b).filter(|&p| p <= i64::MAX as usize).ok_or_else(|| {
                    Status::invalid_argument("Product of block sizes must be positive, got -1")
                })?;
            sizes.push(b);
        }
        let pairs = pairs.to_i64_vec()?;
        if pairs.iter().any(|&p| p < 0) {
            let name = if to_batch { "Paddings" } else { "Crops" };
            return Err(Status::invalid_argument(format!("{name} must be non-negative")));
        }
        let overflow = || {
            Status::invalid_argument(format!("{name} and block_shape overflow the shape {input}"))
        };
        let mut output = input.to_i64();
        if to_batch {
            output[0] = output[0].checked_mul(product as i64).ok_or_else(overflow)?;
        } else if !input[0].is_multiple_of(product) {
            return Err(Status::invalid_argument(format!(
                "Input batch dimension ({}) is not divisible by product of block sizes ({product})",
                input[0]
            )));
        } else {
            output[0] = (input[0] / product) as i64;
        }
        for i in 0..count {
            let (size, block) = (input[i + 1] as i64, sizes[i] as i64);
            let (before, after) = (pairs[2 * i], pairs[2 * i + 1]);
            output[i + 1] = if to_batch {
                let padded = size.checked_add(before).and_then(|s| s.checked_add(after));
                let padded = padded.ok_or_else(overflow)?;
                if padded % block != 0 {
                    return Err(Status::invalid_argument(format!(
                        "padded_shape[{i}]={padded} is not divisible by block_shape[{i}]={block}"
                    )));
                }
                padded / block
            } else {
                let grown = size.checked_mul(block).ok_or_else(overflow)?;
                let cropped = grown.saturating_sub(before).saturating_sub(after);
                if cropped < 0 {
                    return Err(Status::invalid_argument(format!(
                        "cropped_shape[{i}]={cropped} must be non-negative"
                    )));
                }
                cropped
            };
        }
        Ok(Plan {
            block: sizes,
            before: pairs.iter().step_by(2).map(|&p| p as usize).collect(),
            padded: to_batch && pairs.iter().any(|&p| p > 0),
            output: Shape::from_i64(&output)?,
            to_batch,
        })
    }

    fn is_identity(&self) -> bool {
        !self.padded
            && self.before.iter().all(|&b| b == 0)
            && self.block.iter().all(|&b| b == 1)
            && self.to_batch
    }

    /// One copy per position inside the block.
    fn moves(&self, input: &Shape) -> Moves {
        let mut moves = Moves { fill: self.padded, ..Moves::default() };
        if input.elements() == 0 || self.output.elements() == 0 {
            return moves;
        }
        // `space` is the side with whole axes, `split` the one with blocks in the batch.
        let (space, split) =
            if self.to_batch { (input, &self.output) } else { (&self.output, input) };
        let (space_strides, split_strides) = (space.strides(), split.strides());
        let batch = space[0];
        let product: usize = self.block.iter().product();
        let mut inside = vec![0usize; self.block.len()];
        for k in 0..product {
            let mut rest = k;
            for i in (0..inside.len()).rev() {
                inside[i] = rest % self.block[i];
                rest /= self.block[i];
            }
            let mut space_start = 0;
            let mut split_start = k * batch * split_strides[0];
            let mut axes = Axes::new();
            let mut add = |size: usize, space: usize, split: usize| {
                let (space, split) = (space as isize, split as isize);
                axes.push(if self.to_batch { (size, space, split) } else { (size, split, space) });
            };
            add(batch, space_strides[0], split_strides[0]);
            for (i, &inside) in inside.iter().enumerate() {
                let (block, before, axis) = (self.block[i], self.before[i], i + 1);
                // Block positions whose place in space, j * block + inside - before, exists.
                let first = before.saturating_sub(inside).div_ceil(block);
                let end =
                    (space[axis] + before).saturating_sub(inside).div_ceil(block).min(split[axis]);
                let size = end.saturating_sub(first);
                if size > 0 {
                    space_start += (first * block + inside - before) * space_strides[axis];
                    split_start += first * split_strides[axis];
                }
                add(size, block * space_strides[axis], split_strides[axis]);
            }
            for axis in inside.len() + 1..space.rank() {
                add(space[axis], space_strides[axis], split_strides[axis]);
            }
            let (from, to) =
                if self.to_batch { (space_start, split_start) } else { (split_start, space_start) };
            moves.push(0, StridedCopy::new(axes, from, to));
        }
        moves
    }
}

fn infer(cx: &mut ShapeContext<'_>, to_batch: bool) -> Result<()> {
    let has_block = cx.inputs().len() == 3;
    if !has_block {
        cx.with_rank(0, 4)?;
    }
    let (block, pairs) = if has_block {
        (cx.constant_ints(1), cx.constant(2))
    } else {
        (Some(vec![cx.node().int("block_size")?; 2]), cx.constant(1))
    };
    let output = match (cx.input(0).to_shape(), block, pairs) {
        (Some(input), Some(block), Some(pairs)) => {
            let plan = Plan::new(&input, &block, pairs, to_batch);
            (&plan.map_err(|e| e.context(cx.describe()))?.output).into()
        }
        _ => match cx.input(0).rank() {
            Some(rank) => PartialShape::of_rank(rank),
            None => PartialShape::unknown(),
        },
    };
    cx.set_output(0, output);
    Ok(())
}

fn gradient(cx: &mut GradientContext<'_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    if cx.inputs_len() == 3 {
        let back = cx.op(op, &[grad, cx.input(1), cx.input(2)])?;
        return Ok(vec![Gradient::Dense(back), Gradient::None, Gradient::None]);
    }
    let attrs = Attrs::new().with("block_size", cx.node().int("block_size")?);
    let back = cx.op_with(op, &[grad, cx.input(1)], attrs)?;
    Ok(vec![Gradient::Dense(back), Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn run(op: &str, x: Tensor, block: &[i32], pairs: &[i32]) -> Result<Tensor> {
        OpTest::new(register, op)
            .input(x)
            .input(Tensor::vector(block).unwrap())
            .input(Tensor::from_vec([pairs.len() / 2, 2], pairs.to_vec()).unwrap())
            .run_one()
    }

    fn values(t: &Tensor) -> Vec<i32> {
        t.as_slice::<i32>().unwrap().to_vec()
    }

    #[test]
    fn blocks_move_into_the_batch_and_back() {
        let x = Tensor::from_vec([1, 4, 4, 1], (1..=16).collect::<Vec<i32>>()).unwrap();
        let y = run("SpaceToBatchND", x.clone(), &[2, 2], &[0; 4]).unwrap();
        assert_eq!(y.dims(), &[4, 2, 2, 1]);
        assert_eq!(values(&y), [1, 3, 9, 11, 2, 4, 10, 12, 5, 7, 13, 15, 6, 8, 14, 16]);
        assert_eq!(values(&run("BatchToSpaceND", y, &[2, 2], &[0; 4]).unwrap()), values(&x));
    }

    #[test]
    fn padding_and_cropping() {
        let x = Tensor::from_vec([1, 3], vec![1i32, 2, 3]).unwrap();
        let y = run("SpaceToBatchND", x.clone(), &[2], &[1, 2]).unwrap();
        assert_eq!(y.dims(), &[2, 3]);
        assert_eq!(values(&y), [0, 2, 0, 1, 3, 0]);
        assert_eq!(values(&run("BatchToSpaceND", y, &[2], &[1, 2]).unwrap()), values(&x));
        let old = OpTest::new(register, "SpaceToBatch")
            .attr("block_size", 2i64)
            .input(Tensor::from_vec([1, 2, 2, 1], vec![1i32, 2, 3, 4]).unwrap())
            .input(Tensor::from_vec([2, 2], vec![0i32; 4]).unwrap())
            .run_one()
            .unwrap();
        assert_eq!(old.dims(), &[4, 1, 1, 1]);
    }

    #[test]
    fn bad_blocks_are_refused() {
        let x = || Tensor::from_vec([1, 3], vec![1i32, 2, 3]).unwrap();
        assert!(run("SpaceToBatchND", x(), &[2], &[0, 0]).is_err());
        assert!(run("SpaceToBatchND", x(), &[0], &[0, 0]).is_err());
        assert!(run("SpaceToBatchND", x(), &[-1], &[0, 0]).is_err());
        assert!(run("SpaceToBatchND", x(), &[2], &[-1, 0]).is_err());
        assert!(run("SpaceToBatchND", x(), &[1, 1], &[0; 4]).is_err());
        assert!(run("BatchToSpaceND", x(), &[2], &[0, 0]).is_err());
        assert!(run("BatchToSpaceND", x(), &[1], &[2, 2]).is_err());
    }
}
