//! Gradients of gathering: each slice's gradient is added to the slice it was taken from.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

/// Rows of `params` along its first axis: the gradient stays sparse.
fn sparse_rows(
    cx: &mut GradientContext<'_, '_>,
    grad: Endpoint,
    params: Endpoint,
    indices: Endpoint,
) -> Result<Gradient> {
    let int64 = || Attrs::new().with("out_type", DataType::Int64);
    let shape = cx.op_with("Shape", &[params], int64())?;
    let count = cx.op_with("Size", &[indices], int64())?;
    let axis = cx.scalar(0i32)?;
    let count = cx.op("ExpandDims", &[count, axis])?;
    let one = cx.constant(Tensor::vector(&[1i64])?)?;
    let end = cx.constant(Tensor::vector(&[0i64])?)?;
    let inner_attrs = Attrs::new().with("end_mask", 1i64);
    let inner = cx.op_with("StridedSlice", &[shape, one, end, one], inner_attrs)?;
    let values_shape = cx.op("ConcatV2", &[count, inner, axis])?;
    let values = cx.op("Reshape", &[grad, values_shape])?;
    let indices = cx.op("Reshape", &[indices, count])?;
    Ok(Gradient::Sparse { values, indices, dense_shape: shape })
}

pub(super) fn gather_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (params, indices) = (cx.input(0), cx.input(1));
    Ok(vec![sparse_rows(cx, grad, params, indices)?, Gradient::None])
}

pub(super) fn gather_v2_gradient(cx: &mut GradientContext<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let (params, indices, axis) = (cx.input(0), cx.input(1), cx.input(2));
    let known = cx.constant_value(axis).and_then(|t| t.to_i64_scalar().ok());
    let dense = if known == Some(0) && cx.node().int("batch_dims")? == 0 {
        sparse_rows(cx, grad, params, indices)?
    } else {
        Gradient::Dense(dense_gradient(cx, grad)?)
    };
    Ok(vec![dense, Gradient::None, Gradient::None])
}

/// The product of the sizes `shape[start..end]`, as a scalar.
fn product(
    cx: &mut GradientContext<'_, '_>,
    shape: Endpoint,
    start: Endpoint,
    end: Endpoint,
) -> Result<Endpoint> {
    let one = cx.constant(Tensor::vector(&[1i32])?)?;
    let (start, end) = (cx.op("Pack", &[start])?, cx.op("Pack", &[end])?);
    let part = cx.op("StridedSlice", &[shape, start, end, one])?;
    let axis = cx.constant(Tensor::vector(&[0i32])?)?;
    cx.op("Prod", &[part, axis])
}

/// A position counted from the end if negative, as one from the front.
fn position(cx: &mut GradientContext<'_, '_>, at: Endpoint, rank: Endpoint) -> Result<Endpoint> {
    let shifted = cx.op("AddV2", &[at, rank])?;
    let zero = cx.scalar(0i32)?;
    let negative = cx.op("Less", &[at, zero])?;
    cx.op("SelectV2", &[negative, shifted, at])
}

/// Any axis and batch: with params seen as [batch, outer, axis, inner] and the gradient as
/// [batch, outer, picks, inner], pick n of (b, o) belongs to segment (b, o, indices[b, n]).
fn dense_gradient(cx: &mut GradientContext<'_, '_>, grad: Endpoint) -> Result<Endpoint> {
    let (params, indices, axis) = (cx.input(0), cx.input(1), cx.input(2));
    let batch_dims = cx.node().int("batch_dims")? as i32;
    let int32 = || Attrs::new().with("DstT", DataType::Int32);
    let params_shape = cx.shape(params)?;
    let index_shape = cx.shape(indices)?;
    let (rank, index_rank) = (cx.op("Rank", &[params])?, cx.op("Rank", &[indices])?);
    let (zero, one) = (cx.scalar(0i32)?, cx.scalar(1i32)?);
    let axis = cx.op_with("Cast", &[axis], int32())?;
    let axis = position(cx, axis, rank)?;
    let batch_dims = cx.scalar(batch_dims)?;
    let batch_dims = position(cx, batch_dims, index_rank)?;
    let behind = cx.op("AddV2", &[axis, one])?;

    let batch = product(cx, params_shape, zero, batch_dims)?;
    let outer = product(cx, params_shape, batch_dims, axis)?;
    let size = product(cx, params_shape, axis, behind)?;
    let inner = product(cx, params_shape, behind, rank)?;
    let picks = product(cx, index_shape, batch_dims, index_rank)?;

    let blocks = cx.op("Mul", &[batch, outer])?;
    let starts = cx.op("Range", &[zero, blocks, one])?;
    let starts = cx.op("Mul", &[starts, size])?;
    let starts_shape = cx.op("Pack", &[batch, outer, one])?;
    let starts = cx.op("Reshape", &[starts, starts_shape])?;
    let picked = cx.op_with("Cast", &[indices], int32())?;
    let picked_shape = cx.op("Pack", &[batch, one, picks])?;
    let picked = cx.op("Reshape", &[picked, picked_shape])?;
    let segments = cx.op("AddV2", &[starts, picked])?;

    let values_shape = cx.op("Pack", &[batch, outer, picks, inner])?;
    let values = cx.op("Reshape", &[grad, values_shape])?;
    let count = cx.op("Mul", &[blocks, size])?;
    let sums = cx.op("UnsortedSegmentSum", &[values, segments, count])?;
    cx.op("Reshape", &[sums, params_shape])
}
