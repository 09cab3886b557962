//! Gradients of BandedTriangularSolve and MatrixSolveLs.

use downpour_graph::{Attrs, Endpoint, Gradient};
use downpour_tensor::Result;

use super::{Adjoint, Cx, Plain, add, known_size, matmul, mul, neg, sub, transpose};

pub(crate) fn banded(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (lower, adjoint) = (cx.node().bool("lower")?, cx.node().bool("adjoint")?);
    let (bands, rhs, solution, grad) = (cx.input(0), cx.input(1), cx.output(0), cx.grad(0)?);
    let attrs = Attrs::new().with("lower", lower).with("adjoint", !adjoint);
    let grad_rhs = cx.op_with("BandedTriangularSolve", &[bands, grad], attrs)?;
    let (x, y) = if adjoint { (solution, grad_rhs) } else { (grad_rhs, solution) };
    let outer = matmul(cx, Plain(x), Adjoint(y))?;
    let outer = neg(cx, outer)?;
    // As many diagonals as there are bands, the main one last (lower) or first.
    let shape = cx.shape(bands)?;
    let rank = cx.op("Size", &[shape])?;
    let two = cx.scalar(2i32)?;
    let place = sub(cx, rank, two)?;
    let axis = cx.scalar(0i32)?;
    let count = cx.op("GatherV2", &[shape, place, axis])?;
    let one = cx.scalar(1i32)?;
    let furthest = sub(cx, count, one)?;
    let zero = cx.scalar(0i32)?;
    let which = if lower {
        let lowest = neg(cx, furthest)?;
        cx.op("Pack", &[lowest, zero])?
    } else {
        cx.op("Pack", &[zero, furthest])?
    };
    let padding = cx.number(0.0, outer)?;
    let align = Attrs::new().with("align", "LEFT_RIGHT");
    let grad_bands = cx.op_with("MatrixDiagPartV3", &[outer, which, padding], align)?;
    let grad_bands = cx.unbroadcast(grad_bands, bands, grad_bands)?;
    let grad_rhs = cx.unbroadcast(grad_rhs, rhs, grad_rhs)?;
    Ok(vec![Gradient::Dense(grad_bands), Gradient::Dense(grad_rhs)])
}

/// Through the normal equations, of the first kind for tall matrices and the second for wide ones.
pub(crate) fn least_squares(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    if !cx.node().bool("fast")? {
        return Err(cx.node().unsupported("the gradient is defined for fast=true only"));
    }
    let (matrix, rhs, solution, grad) = (cx.input(0), cx.input(1), cx.output(0), cx.grad(0)?);
    let (rows, columns) = known_size(cx, matrix)?;
    let (grad_matrix, grad_rhs) = if rows >= columns {
        let root = gramian_root(cx, Adjoint(matrix), Plain(matrix))?;
        let z = solve(cx, root, grad)?;
        let product = matmul(cx, Plain(solution), Adjoint(z))?;
        let other = transpose(cx, product)?;
        let symmetric = add(cx, product, other)?;
        let first = matmul(cx, Plain(rhs), Adjoint(z))?;
        let second = matmul(cx, Plain(matrix), Plain(symmetric))?;
        (sub(cx, first, second)?, matmul(cx, Plain(matrix), Plain(z))?)
    } else {
        let root = gramian_root(cx, Plain(matrix), Adjoint(matrix))?;
        let turned = matmul(cx, Plain(matrix), Plain(grad))?;
        let grad_rhs = solve(cx, root, turned)?;
        let inner = solve(cx, root, rhs)?;
        let first = matmul(cx, Adjoint(inner), Plain(matrix))?;
        let first = matmul(cx, Plain(grad_rhs), Plain(first))?;
        let back = matmul(cx, Adjoint(matrix), Plain(grad_rhs))?;
        let second = sub(cx, grad, back)?;
        let second = matmul(cx, Plain(inner), Adjoint(second))?;
        (sub(cx, second, first)?, grad_rhs)
    };
    Ok(vec![Gradient::Dense(grad_matrix), Gradient::Dense(grad_rhs), Gradient::None])
}

/// The Cholesky factor of a product with the regularizer added to its diagonal.
fn gramian_root(
    cx: &mut Cx<'_, '_>,
    left: super::Factor,
    right: super::Factor,
) -> Result<Endpoint> {
    let product = matmul(cx, left, right)?;
    let attrs = Attrs::new().with("DstT", cx.dtype(product));
    let regularizer = cx.op_with("Cast", &[cx.input(2)], attrs)?;
    let diagonal = cx.op("MatrixDiagPart", &[product])?;
    let ones = cx.op("OnesLike", &[diagonal])?;
    let shift = mul(cx, ones, regularizer)?;
    let diagonal = add(cx, diagonal, shift)?;
    let product = cx.op("MatrixSetDiag", &[product, diagonal])?;
    cx.op("Cholesky", &[product])
}

fn solve(cx: &mut Cx<'_, '_>, root: Endpoint, rhs: Endpoint) -> Result<Endpoint> {
    let attrs = |adjoint: bool| Attrs::new().with("lower", true).with("adjoint", adjoint);
    let half_way = cx.op_with("MatrixTriangularSolve", &[root, rhs], attrs(false))?;
    cx.op_with("MatrixTriangularSolve", &[root, half_way], attrs(true))
}
