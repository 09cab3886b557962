//! QuantizedConcat: tensors one after another, brought to one range.

use downpour_graph::{OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{CountedVec, QInt32, QUInt8, Result, Shape, Status, Tensor, dispatch_over};

use crate::element::Quantized;
use crate::range::{Dequantizer, Quantizer, Range};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "QuantizedConcat(concat_dim: int32, values: N * T, input_mins: N * float, input_maxes: N * float) -> (output: T, output_min: float, output_max: float)
                N: int >= 2
                T: type",
        )?
        .shape(infer),
        |_| Ok(KernelBox::function(compute)),
    )
}

fn compute(cx: &mut OpContext<'_>) -> Result<()> {
    let axis = cx.input(0);
    if axis.rank() != 0 {
        return Err(Status::invalid_argument(format!(
            "Concat dim tensor should be a scalar integer, but got shape {}",
            axis.shape()
        )));
    }
    let axis = axis.to_scalar::<i32>()?;
    let count = cx.node().input_range("values")?.len();
    let first = cx.input(1).shape();
    let Some(axis) = usize::try_from(axis).ok().filter(|&axis| axis < first.rank()) else {
        return Err(Status::invalid_argument(format!(
            "ConcatOp : Expected concatenating dimensions in the range [0, {}), but got {axis}",
            first.rank()
        )));
    };
    let ranges = CountedVec::build(count, |i| range(cx, i, count))?;
    let shape = joined_shape(cx, axis, count)?;
    let (output, total) = dispatch_over!(cx.input(1).dtype(), "QuantizedConcat", T => {
        let total = total::<T>(&ranges);
        Ok((join::<T>(cx, axis, shape, &ranges, total)?, total))
    }, QUInt8: QUInt8, QInt32: QInt32)?;
    cx.set_output(0, output);
    total.set_outputs(cx, 1);
    Ok(())
}

fn range(cx: &OpContext<'_>, i: usize, count: usize) -> Result<Range> {
    for (name, tensor) in
        [("input_mins", cx.input(1 + count + i)), ("input_maxes", cx.input(1 + 2 * count + i))]
    {
        if tensor.len() != 1 {
            return Err(Status::invalid_argument(format!(
                "{name} each tensor's num elements must be 1, given num elements {} in index {i}",
                tensor.len()
            )));
        }
    }
    Range::of(cx.input(1 + count + i), cx.input(1 + 2 * count + i))
}

/// Returns a range around all of them and zero; symmetric for signed integers.
fn total<T: Quantized>(ranges: &[Range]) -> Range {
    let min = ranges.iter().fold(f32::MAX, |min, range| min.min(range.min)).min(0.0);
    let max = ranges.iter().fold(f32::MIN, |max, range| max.max(range.max));
    if T::LOWEST == 0 {
        return Range { min, max };
    }
    let largest = min.abs().max(max.abs());
    Range { min: -largest, max: largest }
}

fn joined_shape(cx: &OpContext<'_>, axis: usize, count: usize) -> Result<Shape> {
    let first = cx.input(1).shape();
    let mut shape = first.to_i64();
    for i in 1..count {
        let other = cx.input(1 + i).shape();
        let what = if other.rank() != first.rank() {
            "Ranks of all input tensors"
        } else if (0..first.rank()).any(|j| j != axis && other[j] != first[j]) {
            "Dimensions of inputs"
        } else {
            shape[axis] = shape[axis].saturating_add(other[axis] as i64);
            continue;
        };
        return Err(Status::invalid_argument(format!(
            "ConcatOp : {what} should match: shape[0] = {first} vs. shape[{i}] = {other}"
        )));
    }
    Shape::from_i64(&shape)
}

fn join<T: Quantized>(
    cx: &OpContext<'_>,
    axis: usize,
    shape: Shape,
    ranges: &[Range],
    total: Range,
) -> Result<Tensor> {
    let outer: usize = shape[..axis].iter().product();
    let width: usize = shape[axis..].iter().product();
    let to = Quantizer::new::<T>(total);
    let mut output = Tensor::new(T::DTYPE, shape)?;
    let out =
        output.as_mut_slice::<T>().ok_or_else(|| Status::internal("a new tensor is shared"))?;
    let mut start = 0;
    for (i, &range) in ranges.iter().enumerate() {
        let values = cx.input(1 + i).as_slice::<T>()?;
        let from = Dequantizer::new::<T>(range);
        let run = values.len() / outer.max(1);
        for (row, values) in values.chunks_exact(run.max(1)).enumerate() {
            let out = &mut out[row * width + start..][..run];
            if range == total {
                out.copy_from_slice(values);
            } else {
                out.iter_mut().zip(values).for_each(|(o, &v)| *o = to.quantized(from.number(v)));
            }
        }
        start += run;
    }
    Ok(output)
}

fn infer(cx: &mut ShapeContext<'_>) -> Result<()> {
    cx.with_rank(0, 0)?;
    let count = cx.node().input_range("values")?.len();
    let rank = (0..count).find_map(|i| cx.input(1 + i).rank());
    if let Some(rank) = rank {
        for i in 0..count {
            cx.with_rank(1 + i, rank)?;
        }
        cx.set_output(0, PartialShape::of_rank(rank));
    }
    cx.set_output(1, PartialShape::scalar());
    cx.set_output(2, PartialShape::scalar());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bytes, of_bytes};
    use downpour_runtime::testing::OpTest;

    fn run(axis: i32, values: [Tensor; 2], max: [f32; 2]) -> Result<Vec<Tensor>> {
        let test = OpTest::new(register, "QuantizedConcat").attr("N", 2i64);
        let [a, b] = values;
        let test = test.input(Tensor::scalar(axis)).input(a).input(b);
        let test = test.input(Tensor::scalar(0f32)).input(Tensor::scalar(0f32));
        test.input(Tensor::scalar(max[0])).input(Tensor::scalar(max[1])).run()
    }

    #[test]
    fn all_come_to_the_widest_range() {
        let parts = || [bytes([2, 1], &[1, 2]), bytes([2, 2], &[200, 100, 50, 0])];
        let y = run(1, parts(), [255.0, 127.5]).unwrap();
        assert_eq!(of_bytes(&y[0]), [1, 100, 50, 2, 25, 0]);
        let y = run(1, parts(), [255.0, 255.0]).unwrap();
        assert_eq!(of_bytes(&y[0]), [1, 200, 100, 2, 50, 0]);
    }

    #[test]
    fn other_shapes_are_refused() {
        let pair = || [bytes([2, 1], &[1, 2]), bytes([1, 2], &[3, 4])];
        assert!(run(0, pair(), [1.0, 1.0]).is_err());
        assert!(run(2, pair(), [1.0, 1.0]).is_err());
        assert!(run(-1, pair(), [1.0, 1.0]).is_err());
        assert!(run(0, [bytes([1], &[1]), bytes([1, 1], &[1])], [1.0, 1.0]).is_err());
        let empty = run(0, [bytes([0, 3], &[]), bytes([0, 3], &[])], [1.0, 1.0]).unwrap();
        assert_eq!(empty[0].dims(), &[0, 3]);
    }
}
