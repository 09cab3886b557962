//! Gradients of segment reductions.

use downpour_graph::{Attrs, Endpoint, Gradient, GradientContext};
use downpour_tensor::{DataType, Result, Tensor};

type Cx<'a, 'b, 'c> = &'a mut GradientContext<'b, 'c>;

/// A dense gradient of the data and none for the numbers behind it.
fn data_only(cx: Cx<'_, '_, '_>, grad: Endpoint) -> Result<Vec<Gradient>> {
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[0] = Gradient::Dense(grad);
    Ok(grads)
}

fn cast(cx: Cx<'_, '_, '_>, value: Endpoint, dtype: DataType) -> Result<Endpoint> {
    cx.op_with("Cast", &[value], Attrs::new().with("DstT", dtype))
}

pub(super) fn segment_sum(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (grad, ids) = (cx.grad(0)?, cx.input(1));
    let out = cx.op("Gather", &[grad, ids])?;
    data_only(cx, out)
}

/// Ones of shape [rows, 1, 1, ...] with as many axes as the data.
fn row_ones(cx: Cx<'_, '_, '_>, like: Endpoint) -> Result<Endpoint> {
    let (data, ids) = (cx.input(0), cx.input(1));
    let one = cx.scalar(1i32)?;
    let zero = cx.scalar(0i32)?;
    let ids_shape = cx.shape(ids)?;
    let trailing = trailing_ones(cx, data, ids)?;
    let shape = cx.op("ConcatV2", &[ids_shape, trailing, zero])?;
    let dtype = cx.dtype(like);
    let one = cast(cx, one, dtype)?;
    cx.op("Fill", &[shape, one])
}

/// A vector of ones for the axes that `data` has beyond those of `ids`.
fn trailing_ones(cx: Cx<'_, '_, '_>, data: Endpoint, ids: Endpoint) -> Result<Endpoint> {
    let (data_shape, ids_shape) = (cx.shape(data)?, cx.shape(ids)?);
    let (data_rank, ids_rank) = (cx.shape(data_shape)?, cx.shape(ids_shape)?);
    let extra = cx.op("Sub", &[data_rank, ids_rank])?;
    let one = cx.scalar(1i32)?;
    cx.op("Fill", &[extra, one])
}

pub(super) fn segment_mean(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (grad, ids) = (cx.grad(0)?, cx.input(1));
    let ones = row_ones(cx, grad)?;
    let counts = cx.op("SegmentSum", &[ones, ids])?;
    let scaled = cx.op("RealDiv", &[grad, counts])?;
    let out = cx.op("Gather", &[scaled, ids])?;
    data_only(cx, out)
}

/// Rows that attain the extreme share the gradient.
pub(super) fn segment_extreme(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (grad, data, ids, output) = (cx.grad(0)?, cx.input(0), cx.input(1), cx.output(0));
    let dtype = cx.dtype(grad);
    let attained = cx.op("Gather", &[output, ids])?;
    let chosen = cx.op("Equal", &[data, attained])?;
    let weights = cast(cx, chosen, dtype)?;
    let counts = cx.op("SegmentSum", &[weights, ids])?;
    let share = cx.op("RealDiv", &[grad, counts])?;
    let share = cx.op("Gather", &[share, ids])?;
    let zeros = cx.op("ZerosLike", &[data])?;
    let out = cx.op("SelectV2", &[chosen, share, zeros])?;
    data_only(cx, out)
}

/// With one zero in a segment only that element has a gradient, with two or more none has.
pub(super) fn segment_prod(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (data, ids, output) = (cx.input(0), cx.input(1), cx.output(0));
    let is_zero = zeros_of(cx, data)?;
    let zero_counts = cast(cx, is_zero, DataType::Int32)?;
    let zero_counts = cx.op("SegmentSum", &[zero_counts, ids])?;
    let grad = without_double_zeros(cx, zero_counts)?;
    let non_zero = ones_for_zeros(cx, is_zero, data)?;
    let non_zero_prod = cx.op("SegmentProd", &[non_zero, ids])?;
    let prod = cx.op("Gather", &[output, ids])?;
    let non_zero_prod = cx.op("Gather", &[non_zero_prod, ids])?;
    let others = cx.op("RealDiv", &[prod, non_zero])?;
    let partial = cx.op("SelectV2", &[is_zero, non_zero_prod, others])?;
    let grad = cx.op("Gather", &[grad, ids])?;
    let out = cx.op("Mul", &[grad, partial])?;
    data_only(cx, out)
}

fn zeros_of(cx: Cx<'_, '_, '_>, data: Endpoint) -> Result<Endpoint> {
    let zeros = cx.op("ZerosLike", &[data])?;
    cx.op("Equal", &[data, zeros])
}

fn ones_for_zeros(cx: Cx<'_, '_, '_>, is_zero: Endpoint, data: Endpoint) -> Result<Endpoint> {
    let ones = cx.op("OnesLike", &[data])?;
    cx.op("SelectV2", &[is_zero, ones, data])
}

fn without_double_zeros(cx: Cx<'_, '_, '_>, zero_counts: Endpoint) -> Result<Endpoint> {
    let grad = cx.grad(0)?;
    let one = cx.scalar(1i32)?;
    let several = cx.op("Greater", &[zero_counts, one])?;
    let zeros = cx.op("ZerosLike", &[grad])?;
    cx.op("SelectV2", &[several, zeros, grad])
}

/// Rows of a segment tensor by id, for ids that may be negative.
struct Rows {
    clipped: Endpoint,
    /// True for elements of the data whose id is not negative.
    kept: Endpoint,
}

impl Rows {
    fn new(cx: Cx<'_, '_, '_>) -> Result<Rows> {
        let (data, ids) = (cx.input(0), cx.input(1));
        let zeros = cx.op("ZerosLike", &[ids])?;
        let clipped = cx.op("Maximum", &[ids, zeros])?;
        let positive = cx.op("GreaterEqual", &[ids, zeros])?;
        let ids_shape = cx.shape(ids)?;
        let trailing = trailing_ones(cx, data, ids)?;
        let axis = cx.scalar(0i32)?;
        let shape = cx.op("ConcatV2", &[ids_shape, trailing, axis])?;
        let kept = cx.op("Reshape", &[positive, shape])?;
        Ok(Rows { clipped, kept })
    }

    /// The rows of `segments`, zero where the id is negative.
    fn of(&self, cx: Cx<'_, '_, '_>, segments: Endpoint) -> Result<Endpoint> {
        let gathered = cx.op("Gather", &[segments, self.clipped])?;
        let zeros = cx.op("ZerosLike", &[gathered])?;
        cx.op("SelectV2", &[self.kept, gathered, zeros])
    }
}

pub(super) fn unsorted_sum(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let out = Rows::new(cx)?.of(cx, grad)?;
    data_only(cx, out)
}

pub(super) fn unsorted_extreme(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (grad, data, ids, count) = (cx.grad(0)?, cx.input(0), cx.input(1), cx.input(2));
    let output = cx.output(0);
    let dtype = cx.dtype(grad);
    let rows = Rows::new(cx)?;
    let attained = rows.of(cx, output)?;
    let chosen = cx.op("Equal", &[data, attained])?;
    let chosen = cx.op("LogicalAnd", &[chosen, rows.kept])?;
    let weights = cast(cx, chosen, dtype)?;
    let counts = cx.op("UnsortedSegmentSum", &[weights, ids, count])?;
    let share = cx.op("RealDiv", &[grad, counts])?;
    let share = rows.of(cx, share)?;
    let zeros = cx.op("ZerosLike", &[share])?;
    let out = cx.op("SelectV2", &[chosen, share, zeros])?;
    data_only(cx, out)
}

pub(super) fn unsorted_prod(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    let (data, ids, count, output) = (cx.input(0), cx.input(1), cx.input(2), cx.output(0));
    let is_zero = zeros_of(cx, data)?;
    let zero_counts = cast(cx, is_zero, DataType::Int32)?;
    let zero_counts = cx.op("UnsortedSegmentSum", &[zero_counts, ids, count])?;
    let grad = without_double_zeros(cx, zero_counts)?;
    let non_zero = ones_for_zeros(cx, is_zero, data)?;
    let non_zero_prod = cx.op("UnsortedSegmentProd", &[non_zero, ids, count])?;
    let rows = Rows::new(cx)?;
    let prod = cx.op("Gather", &[output, rows.clipped])?;
    let non_zero_prod = cx.op("Gather", &[non_zero_prod, rows.clipped])?;
    let others = cx.op("RealDiv", &[prod, data])?;
    let partial = cx.op("SelectV2", &[is_zero, non_zero_prod, others])?;
    let grad = rows.of(cx, grad)?;
    let out = cx.op("Mul", &[grad, partial])?;
    data_only(cx, out)
}

fn sparse(cx: Cx<'_, '_, '_>, op: &str) -> Result<Vec<Gradient>> {
    let (grad, data, indices, ids) = (cx.grad(0)?, cx.input(0), cx.input(1), cx.input(2));
    let shape = cx.shape(data)?;
    let first = cx.constant(Tensor::scalar(0i32))?;
    let rows = cx.op("Gather", &[shape, first])?;
    if !cx.node().bool("sparse_gradient")? {
        let out = cx.op(op, &[grad, indices, ids, rows])?;
        return data_only(cx, out);
    }
    let node = cx.node_with(&format!("{op}V2"), &[grad, indices, ids, rows], Attrs::new())?;
    let mut grads = vec![Gradient::None; cx.inputs_len()];
    grads[0] = Gradient::Sparse {
        values: Endpoint { node, port: 0 },
        indices: Endpoint { node, port: 1 },
        dense_shape: shape,
    };
    Ok(grads)
}

pub(super) fn sparse_sum(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    sparse(cx, "SparseSegmentSumGrad")
}

pub(super) fn sparse_mean(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    sparse(cx, "SparseSegmentMeanGrad")
}

pub(super) fn sparse_sqrt_n(cx: Cx<'_, '_, '_>) -> Result<Vec<Gradient>> {
    sparse(cx, "SparseSegmentSqrtNGrad")
}
