//! Split and SplitV: a tensor cut along an axis.

use downpour_graph::{Endpoint, Gradient, GradientContext, OpSpec, PartialShape, ShapeContext};
use downpour_runtime::{KernelBox, OpContext, Registry};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::movement::{StridedCopy, move_one};

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    registry.add(
        OpSpec::new(
            "Split(split_dim: int32, value: T) -> (output: num_split * T)
                num_split: int >= 1
                T: type",
        )?
        .shape(split_shape)
        .gradient(split_gradient),
        |_| Ok(KernelBox::function(split)),
    )?;
    registry.add(
        OpSpec::new(
            "SplitV(value: T, size_splits: Tlen, split_dim: int32) -> (output: num_split * T)
                num_split: int >= 1
                T: type
                Tlen: {int8, int32, int64} = int64",
        )?
        .shape(split_v_shape)
        .gradient(split_v_gradient),
        |_| Ok(KernelBox::function(split_v)),
    )
}

fn resolve_axis(axis: i64, rank: usize) -> Result<usize> {
    let at = if axis < 0 { axis.saturating_add(rank as i64) } else { axis };
    if !(0..rank as i64).contains(&at) {
        return Err(Status::invalid_argument(format!(
            "-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"
        )));
    }
    Ok(at as usize)
}

fn split(cx: &mut OpContext<'_>) -> Result<()> {
    let axis = cx.input(0);
    if axis.len() != 1 {
        return Err(Status::invalid_argument(format!(
            "split_dim must be a scalar but has rank {}",
            axis.rank()
        )));
    }
    let axis = axis.to_i64_scalar()?;
    let value = cx.take(1);
    let axis = resolve_axis(axis, value.rank())?;
    let count = cx.node().output_types.len();
    let size = value.dims()[axis];
    if count == 0 || !size.is_multiple_of(count) {
        return Err(Status::invalid_argument(format!(
            "Number of ways to split should evenly divide the split dimension, but got split_dim \
             {axis} (size = {size}) and num_split {count}"
        )));
    }
    cut(cx, &value, axis, std::iter::repeat_n(size / count, count))
}

/// Sets each output to the next `size` entries along the axis.
fn cut(
    cx: &mut OpContext<'_>,
    value: &Tensor,
    axis: usize,
    sizes: impl Iterator<Item = usize>,
) -> Result<()> {
    let outer: usize = value.dims()[..axis].iter().product();
    let inner: usize = value.dims()[axis + 1..].iter().product();
    let row = value.dims()[axis] * inner;
    let mut start = 0;
    for (i, size) in sizes.enumerate() {
        let mut shape = value.shape().clone();
        shape.dims_mut()[axis] = size;
        let output = if size == value.dims()[axis] {
            value.clone()
        } else if outer == 1 {
            let rows = value.reshaped([value.dims()[axis], inner])?;
            rows.rows(start, start + size)?.into_shape(shape)?
        } else {
            let axes = [(outer, row as isize), (size * inner, 1)];
            let copy = StridedCopy::gather(axes.into_iter(), start * inner);
            move_one(cx.parallel(), value, shape, copy)?
        };
        cx.set_output(i, output);
        start += size;
    }
    Ok(())
}

fn split_v(cx: &mut OpContext<'_>) -> Result<()> {
    let axis = cx.input(2);
    if axis.len() != 1 {
        return Err(Status::invalid_argument("split_dim_tensor must have exactly one element."));
    }
    let axis = axis.to_i64_scalar()?;
    let sizes = cx.input(1);
    let count = cx.node().output_types.len();
    if sizes.rank() != 1 || sizes.len() != count {
        return Err(Status::invalid_argument(format!(
            "size of the split_tensor must be 1-D and have the same elements as outputs got {} -D \
             and {} elements",
            sizes.rank(),
            sizes.len()
        )));
    }
    let sizes = lengths(sizes)?;
    let value = cx.take(0);
    let axis = resolve_axis(axis, value.rank())?;
    let sizes = resolve_sizes(&sizes, value.dims()[axis])?;
    cut(cx, &value, axis, sizes.into_iter())
}

fn lengths(tensor: &Tensor) -> Result<Vec<i64>> {
    if tensor.dtype() == DataType::Int8 {
        return Ok(tensor.as_slice::<i8>()?.iter().map(|&v| v as i64).collect());
    }
    tensor.to_i64_vec()
}

/// Fills in the size given as -1.
fn resolve_sizes(sizes: &[i64], total: usize) -> Result<Vec<usize>> {
    let total = total as i64;
    let mut open = None;
    let mut sum = 0i64;
    for (i, &size) in sizes.iter().enumerate() {
        match size {
            -1 => {
                if open.replace(i).is_some() {
                    return Err(Status::invalid_argument("There can only be one -1 in the input."));
                }
            }
            size if size < 0 => {
                return Err(Status::invalid_argument(format!(
                    "Split size at index {i} must be >= 0. Got: {size}"
                )));
            }
            size => sum = sum.saturating_add(size),
        }
    }
    if sum > total || (open.is_none() && sum != total) {
        return Err(Status::invalid_argument(format!(
            "Determined shape must either match input shape along split_dim exactly if fully \
             specified, or be less than the size of the input along split_dim if not fully \
             specified.  Got: {sum}"
        )));
    }
    Ok(sizes
        .iter()
        .enumerate()
        .map(|(i, &s)| if open == Some(i) { total - sum } else { s } as usize)
        .collect())
}

fn split_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(1).dims() else { return Ok(()) };
    let count = cx.outputs_len();
    let output = match cx.constant_ints(0).as_deref() {
        Some(&[axis]) => {
            let axis = resolve_axis(axis, dims.len()).map_err(|e| e.context(cx.describe()))?;
            if dims[axis].is_some_and(|d| d % count != 0) {
                return Err(Status::invalid_argument(format!(
                    "Dimension size must be evenly divisible by {count} but is {} for {}",
                    dims[axis].unwrap_or(0),
                    cx.describe()
                )));
            }
            with_dim(dims, axis, dims[axis].map(|d| d / count))
        }
        _ => PartialShape::of_rank(dims.len()),
    };
    for i in 0..count {
        cx.set_output(i, output.clone());
    }
    Ok(())
}

fn with_dim(dims: &[Option<usize>], axis: usize, size: Option<usize>) -> PartialShape {
    PartialShape::of(dims.iter().enumerate().map(|(i, &d)| if i == axis { size } else { d }))
}

fn split_v_shape(cx: &mut ShapeContext<'_>) -> Result<()> {
    let Some(dims) = cx.input(0).dims() else { return Ok(()) };
    let Some(&[axis]) = cx.constant_ints(2).as_deref() else {
        for i in 0..cx.outputs_len() {
            cx.set_output(i, PartialShape::of_rank(dims.len()));
        }
        return Ok(());
    };
    let axis = resolve_axis(axis, dims.len()).map_err(|e| e.context(cx.describe()))?;
    let sizes = cx.constant(1).and_then(|t| lengths(t).ok());
    for i in 0..cx.outputs_len() {
        let size = match (&sizes, dims[axis]) {
            (Some(sizes), Some(total)) => {
                resolve_sizes(sizes, total).map_err(|e| e.context(cx.describe()))?.get(i).copied()
            }
            (Some(sizes), None) => sizes.get(i).and_then(|&s| usize::try_from(s).ok()),
            (None, _) if cx.outputs_len() == 1 => dims[axis],
            (None, _) => None,
        };
        cx.set_output(i, with_dim(dims, axis, size));
    }
    Ok(())
}

fn joined(cx: &mut GradientContext<'_, '_>, axis: Endpoint) -> Result<Gradient> {
    let count = cx.node().output_types.len();
    let mut inputs: Vec<Endpoint> = (0..count).map(|i| cx.grad(i)).collect::<Result<_>>()?;
    if count == 1 {
        return Ok(Gradient::Dense(inputs[0]));
    }
    inputs.push(axis);
    Ok(Gradient::Dense(cx.op("ConcatV2", &inputs)?))
}

fn split_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let axis = cx.input(0);
    Ok(vec![Gradient::None, joined(cx, axis)?])
}

fn split_v_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let axis = cx.input(2);
    Ok(vec![joined(cx, axis)?, Gradient::None, Gradient::None])
}

#[cfg(test)]
mod tests {
    use super::*;
    use downpour_runtime::testing::OpTest;

    fn value() -> Tensor {
        Tensor::from_vec([2, 4], vec![1i32, 2, 3, 4, 5, 6, 7, 8]).unwrap()
    }

    #[test]
    fn even_parts() {
        let run = |axis: i32, parts: i64| {
            OpTest::new(register, "Split")
                .attr("num_split", parts)
                .input(Tensor::scalar(axis))
                .input(value())
                .run()
        };
        assert_eq!(run(1, 2).unwrap()[1].as_slice::<i32>().unwrap(), &[3, 4, 7, 8]);
        assert_eq!(run(0, 2).unwrap()[1].as_slice::<i32>().unwrap(), &[5, 6, 7, 8]);
        assert!(run(1, 3).is_err());
        assert!(run(i32::MIN, 2).is_err());
        let empty = OpTest::new(register, "Split")
            .attr("num_split", 2i64)
            .input(Tensor::scalar(0i32))
            .input(Tensor::zeros(DataType::Float, [8, 0, 21]).unwrap())
            .run()
            .unwrap();
        assert_eq!(empty[1].dims(), &[4, 0, 21]);
    }

    #[test]
    fn given_parts() {
        let run = |axis: i32, sizes: &[i64]| {
            OpTest::new(register, "SplitV")
                .attr("num_split", sizes.len() as i64)
                .input(value())
                .input(Tensor::vector(sizes).unwrap())
                .input(Tensor::scalar(axis))
                .run()
        };
        let y = run(-1, &[1, -1, 0]).unwrap();
        assert_eq!(y[1].as_slice::<i32>().unwrap(), &[2, 3, 4, 6, 7, 8]);
        assert_eq!(y[2].dims(), &[2, 0]);
        assert!(run(-1, &[1, 2]).is_err());
        assert!(run(-1, &[-1, -1]).is_err());
        assert!(run(-1, &[-2, 6]).is_err());
        assert!(run(-1, &[i64::MAX, i64::MAX]).is_err());
    }
}
