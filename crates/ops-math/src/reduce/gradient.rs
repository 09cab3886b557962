//! Gradients of reductions.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

type Gradients = Result<Vec<Gradient>>;

fn only_first(grad: Endpoint) -> Gradients {
    Ok(vec![Gradient::Dense(grad), Gradient::None])
}

/// The reduced axes as non-negative int32 numbers.
fn positive_axes(cx: &mut GradientContext<'_, '_>, input_shape: Endpoint) -> Result<Endpoint> {
    let mut axes = cx.input(1);
    if cx.dtype(axes) != DataType::Int32 {
        axes = cx.op_with("Cast", &[axes], Attrs::new().with("DstT", DataType::Int32))?;
    }
    let flat = cx.constant(Tensor::vector(&[-1i32])?)?;
    let axes = cx.op("Reshape", &[axes, flat])?;
    let rank = cx.op("Size", &[input_shape])?;
    let shifted = cx.op("AddV2", &[axes, rank])?;
    cx.op("FloorMod", &[shifted, rank])
}

/// The input's shape with ones in place of the reduced sizes.
fn kept_shape(cx: &mut GradientContext<'_, '_>, input_shape: Endpoint) -> Result<Endpoint> {
    let axes = positive_axes(cx, input_shape)?;
    let (zero, one) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let rank = cx.op("Size", &[input_shape])?;
    let all = cx.op("Range", &[zero, rank, one])?;
    let axes_shape = cx.shape(axes)?;
    let ones = cx.op("Fill", &[axes_shape, one])?;
    cx.op("DynamicStitch", &[all, axes, input_shape, ones])
}

/// A value of the output's shape (or the output itself) with reduced axes kept as ones.
fn with_kept_axes(
    cx: &mut GradientContext<'_, '_>,
    input_shape: Endpoint,
    values: &[Endpoint],
) -> Result<Vec<Endpoint>> {
    if cx.node().bool("keep_dims")? {
        return Ok(values.to_vec());
    }
    let shape = kept_shape(cx, input_shape)?;
    values.iter().map(|&v| cx.op("Reshape", &[v, shape])).collect()
}

fn broadcast_grad(cx: &mut GradientContext<'_, '_>) -> Result<(Endpoint, Endpoint)> {
    let input = cx.input(0);
    let input_shape = cx.shape(input)?;
    let grad = cx.grad(0)?;
    let kept = with_kept_axes(cx, input_shape, &[grad])?;
    Ok((cx.op("BroadcastTo", &[kept[0], input_shape])?, input_shape))
}

pub(super) fn sum(cx: &mut GradientContext<'_, '_>) -> Gradients {
    let (grad, _) = broadcast_grad(cx)?;
    only_first(grad)
}

pub(super) fn mean(cx: &mut GradientContext<'_, '_>) -> Gradients {
    let (grad, input_shape) = broadcast_grad(cx)?;
    let axes = positive_axes(cx, input_shape)?;
    let sizes = cx.op("Gather", &[input_shape, axes])?;
    let zero = cx.constant(Tensor::vector(&[0i32])?)?;
    let factor = cx.op("Prod", &[sizes, zero])?;
    let dtype = cx.dtype(grad);
    let factor = cx.op_with("Cast", &[factor], Attrs::new().with("DstT", dtype))?;
    let scaled = cx.op("RealDiv", &[grad, factor])?;
    only_first(scaled)
}

/// The gradient is shared evenly between the elements that attain the extreme.
pub(super) fn extreme(cx: &mut GradientContext<'_, '_>) -> Gradients {
    let (input, axes) = (cx.input(0), cx.input(1));
    let input_shape = cx.shape(input)?;
    let (output, grad) = (cx.output(0), cx.grad(0)?);
    let kept = with_kept_axes(cx, input_shape, &[output, grad])?;
    let chosen = cx.op("Equal", &[kept[0], input])?;
    let dtype = cx.dtype(grad);
    let chosen = cx.op_with("Cast", &[chosen], Attrs::new().with("DstT", dtype))?;
    let count = cx.op_with("Sum", &[chosen, axes], Attrs::new().with("keep_dims", true))?;
    let share = cx.op("RealDiv", &[chosen, count])?;
    let out = cx.op("Mul", &[share, kept[1]])?;
    only_first(out)
}

pub(super) fn euclidean_norm(cx: &mut GradientContext<'_, '_>) -> Gradients {
    let input = cx.input(0);
    let input_shape = cx.shape(input)?;
    let (output, grad) = (cx.output(0), cx.grad(0)?);
    let kept = with_kept_axes(cx, input_shape, &[output, grad])?;
    let scale = cx.op("RealDiv", &[kept[0], kept[1]])?;
    let out = cx.op("RealDiv", &[input, scale])?;
    only_first(out)
}

/// The product of all other elements, from running products on both sides: zeros do no harm.
pub(super) fn prod(cx: &mut GradientContext<'_, '_>) -> Gradients {
    let (grad, input_shape) = broadcast_grad(cx)?;
    let input = cx.input(0);
    let (zero, one) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let first = cx.constant(Tensor::vector(&[0i32])?)?;
    let reduced = positive_axes(cx, input_shape)?;
    let rank = cx.op("Size", &[input_shape])?;
    let all = cx.op("Range", &[zero, rank, one])?;
    let other = cx.op("ListDiff", &[all, reduced])?;
    let permutation = cx.op("ConcatV2", &[reduced, other, zero])?;
    let mut sizes = Vec::new();
    for axes in [reduced, other] {
        let dims = cx.op("Gather", &[input_shape, axes])?;
        sizes.push(cx.op("Prod", &[dims, first])?);
    }
    let matrix_shape = cx.op("Pack", &sizes)?;
    let permuted = cx.op("Transpose", &[input, permutation])?;
    let permuted_shape = cx.shape(permuted)?;
    let matrix = cx.op("Reshape", &[permuted, matrix_shape])?;
    let exclusive = Attrs::new().with("exclusive", true);
    let left = cx.op_with("Cumprod", &[matrix, zero], exclusive.clone())?;
    let right = cx.op_with("Cumprod", &[matrix, zero], exclusive.with("reverse", true))?;
    let mut others = cx.op("Mul", &[left, right])?;
    if cx.dtype(others).is_complex() {
        others = cx.op("Conj", &[others])?;
    }
    let others = cx.op("Reshape", &[others, permuted_shape])?;
    let inverse = cx.op("InvertPermutation", &[permutation])?;
    let others = cx.op("Transpose", &[others, inverse])?;
    let out = cx.op("Mul", &[grad, others])?;
    only_first(out)
}
