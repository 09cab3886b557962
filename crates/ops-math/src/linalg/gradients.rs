//! Gradients of decompositions and solvers, and the algebra they are written in.

mod decompositions;
mod functions;
mod solvers;
mod tridiagonal;

use downpour_graph::{Attrs, Endpoint, GradientContext};
use downpour_tensor::{Result, Tensor};

pub(super) use decompositions::{cholesky, eigen, qr, self_adjoint_eigen, svd};
pub(super) use functions::{log_determinant, square_root};
pub(super) use solvers::{banded, least_squares};
pub(super) use tridiagonal::{tridiagonal_product, tridiagonal_solve};

type Cx<'a, 'g> = GradientContext<'a, 'g>;

/// A factor of a product: a matrix, or its conjugate transpose.
#[derive(Clone, Copy)]
enum Factor {
    Plain(Endpoint),
    Adjoint(Endpoint),
}
use Factor::{Adjoint, Plain};

fn matmul(cx: &mut Cx<'_, '_>, left: Factor, right: Factor) -> Result<Endpoint> {
    let split = |factor| match factor {
        Plain(matrix) => (matrix, false),
        Adjoint(matrix) => (matrix, true),
    };
    let ((a, adj_x), (b, adj_y)) = (split(left), split(right));
    cx.op_with("BatchMatMulV2", &[a, b], Attrs::new().with("adj_x", adj_x).with("adj_y", adj_y))
}

fn add(cx: &mut Cx<'_, '_>, a: Endpoint, b: Endpoint) -> Result<Endpoint> {
    cx.op("AddV2", &[a, b])
}

fn sub(cx: &mut Cx<'_, '_>, a: Endpoint, b: Endpoint) -> Result<Endpoint> {
    cx.op("Sub", &[a, b])
}

fn mul(cx: &mut Cx<'_, '_>, a: Endpoint, b: Endpoint) -> Result<Endpoint> {
    cx.op("Mul", &[a, b])
}

fn neg(cx: &mut Cx<'_, '_>, a: Endpoint) -> Result<Endpoint> {
    cx.op("Neg", &[a])
}

fn half(cx: &mut Cx<'_, '_>, a: Endpoint) -> Result<Endpoint> {
    let half = cx.number(0.5, a)?;
    mul(cx, a, half)
}

/// The order of axes that exchanges the last two.
fn exchange(cx: &mut Cx<'_, '_>, matrix: Endpoint) -> Result<Endpoint> {
    let rank = cx.op("Rank", &[matrix])?;
    let (zero, one, two) = (cx.scalar(0i32)?, cx.scalar(1i32)?, cx.scalar(2i32)?);
    let batch = cx.op("Sub", &[rank, two])?;
    let last = cx.op("Sub", &[rank, one])?;
    let batch_axes = cx.op("Range", &[zero, batch, one])?;
    let exchanged = cx.op("Pack", &[last, batch])?;
    cx.op("ConcatV2", &[batch_axes, exchanged, zero])
}

fn transpose(cx: &mut Cx<'_, '_>, matrix: Endpoint) -> Result<Endpoint> {
    let order = exchange(cx, matrix)?;
    cx.op("Transpose", &[matrix, order])
}

/// The conjugate transpose.
fn adjoint(cx: &mut Cx<'_, '_>, matrix: Endpoint) -> Result<Endpoint> {
    let order = exchange(cx, matrix)?;
    let complex = cx.dtype(matrix).is_complex();
    cx.op(if complex { "ConjugateTranspose" } else { "Transpose" }, &[matrix, order])
}

/// The elements on and below the diagonal.
fn lower_triangle(cx: &mut Cx<'_, '_>, matrix: Endpoint) -> Result<Endpoint> {
    let (below, above) = (cx.scalar(-1i64)?, cx.scalar(0i64)?);
    cx.op("MatrixBandPart", &[matrix, below, above])
}

/// The matrix with its diagonal halved.
fn halve_diagonal(cx: &mut Cx<'_, '_>, matrix: Endpoint) -> Result<Endpoint> {
    let diagonal = cx.op("MatrixDiagPart", &[matrix])?;
    let diagonal = half(cx, diagonal)?;
    cx.op("MatrixSetDiag", &[matrix, diagonal])
}

/// 1/x, but finite where x is (nearly) zero.
fn safe_inverse(cx: &mut Cx<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let square = mul(cx, x, x)?;
    let small = cx.number(1e-20, x)?;
    let shifted = add(cx, square, small)?;
    let inverse = cx.op("Reciprocal", &[shifted])?;
    mul(cx, x, inverse)
}

/// The matrix of 1 / (x_j - x_i), with zeros on its diagonal.
fn inverse_differences(cx: &mut Cx<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let (row, column) = (expand(cx, x, -2)?, expand(cx, x, -1)?);
    let differences = sub(cx, row, column)?;
    let inverse = safe_inverse(cx, differences)?;
    let zeros = cx.op("ZerosLike", &[x])?;
    cx.op("MatrixSetDiag", &[inverse, zeros])
}

fn expand(cx: &mut Cx<'_, '_>, x: Endpoint, axis: i32) -> Result<Endpoint> {
    let axis = cx.scalar(axis)?;
    cx.op("ExpandDims", &[x, axis])
}

fn join(cx: &mut Cx<'_, '_>, parts: &[Endpoint], axis: i32) -> Result<Endpoint> {
    let axis = cx.scalar(axis)?;
    let inputs: Vec<Endpoint> = parts.iter().copied().chain([axis]).collect();
    cx.op("ConcatV2", &inputs)
}

/// The last axes cut to begin..end each, with every axis before them whole.
fn cut(
    cx: &mut Cx<'_, '_>,
    x: Endpoint,
    ranges: &[(Option<i32>, Option<i32>)],
) -> Result<Endpoint> {
    let (mut begin, mut end) = (vec![0i32], vec![0i32]);
    let (mut begin_mask, mut end_mask) = (0i64, 0i64);
    for (i, (from, to)) in ranges.iter().enumerate() {
        begin.push(from.unwrap_or(0));
        end.push(to.unwrap_or(0));
        begin_mask |= i64::from(from.is_none()) << (i + 1);
        end_mask |= i64::from(to.is_none()) << (i + 1);
    }
    let strides = vec![1i32; begin.len()];
    let begin = cx.constant(Tensor::vector(&begin)?)?;
    let end = cx.constant(Tensor::vector(&end)?)?;
    let strides = cx.constant(Tensor::vector(&strides)?)?;
    let attrs = Attrs::new()
        .with("ellipsis_mask", 1i64)
        .with("begin_mask", begin_mask)
        .with("end_mask", end_mask);
    cx.op_with("StridedSlice", &[x, begin, end, strides], attrs)
}

/// Rows and columns of a matrix, which some formulas need to know before running.
fn known_size(cx: &Cx<'_, '_>, matrix: Endpoint) -> Result<(i32, i32)> {
    let shape = cx.static_shape(matrix);
    if let Some([.., Some(rows), Some(columns)]) = shape.dims()
        && let (Ok(rows), Ok(columns)) = (i32::try_from(*rows), i32::try_from(*columns))
    {
        return Ok((rows, columns));
    }
    Err(cx.node().unsupported(
        "the gradient needs to know the matrix's size; give the placeholder or variable behind it a shape",
    ))
}
