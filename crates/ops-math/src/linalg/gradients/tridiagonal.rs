//! Gradients of TridiagonalMatMul and TridiagonalSolve.

use downpour_graph::{Attrs, Endpoint, Gradient};
use downpour_tensor::{Result, Tensor};

use super::{Cx, add, adjoint, cut, expand, join, mul, neg};

type Range = (Option<i32>, Option<i32>);
const ALL: Range = (None, None);

/// Rows moved up by one, a row of zeros coming in below.
fn up(cx: &mut Cx<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let rest = cut(cx, x, &[(Some(1), None), ALL])?;
    let zeros = cut(cx, x, &[(None, Some(1)), ALL])?;
    let zeros = cx.op("ZerosLike", &[zeros])?;
    join(cx, &[rest, zeros], -2)
}

/// Rows moved down by one, a row of zeros coming in above.
fn down(cx: &mut Cx<'_, '_>, x: Endpoint) -> Result<Endpoint> {
    let rest = cut(cx, x, &[(None, Some(-1)), ALL])?;
    let zeros = cut(cx, x, &[(None, Some(1)), ALL])?;
    let zeros = cx.op("ZerosLike", &[zeros])?;
    join(cx, &[zeros, rest], -2)
}

/// The sum over the last axis of a product.
fn dot(cx: &mut Cx<'_, '_>, a: Endpoint, b: Endpoint) -> Result<Endpoint> {
    let product = mul(cx, a, b)?;
    let last = cx.constant(Tensor::vector(&[-1i32])?)?;
    cx.op("Sum", &[product, last])
}

pub(crate) fn tridiagonal_product(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let grad = cx.grad(0)?;
    let rhs = cx.input(3);
    let rhs = if cx.dtype(rhs).is_complex() { cx.op("Conj", &[rhs])? } else { rhs };
    let mut grads = Vec::with_capacity(4);
    for shifted in [up(cx, rhs)?, rhs, down(cx, rhs)?] {
        let diagonal = dot(cx, shifted, grad)?;
        grads.push(Gradient::Dense(expand(cx, diagonal, -2)?));
    }
    let mut scaled = |i: usize| {
        let diagonal = adjoint(cx, cx.input(i))?;
        mul(cx, diagonal, grad)
    };
    let (above, main, below) = (scaled(0)?, scaled(1)?, scaled(2)?);
    let (above, below) = (down(cx, above)?, up(cx, below)?);
    let sum = add(cx, above, main)?;
    grads.push(Gradient::Dense(add(cx, sum, below)?));
    Ok(grads)
}

pub(crate) fn tridiagonal_solve(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (diagonals, solution, grad) = (cx.input(0), cx.output(0), cx.grad(0)?);
    let attrs = Attrs::new()
        .with("partial_pivoting", cx.node().bool("partial_pivoting")?)
        .with("perturb_singular", cx.node().bool("perturb_singular")?);
    let transposed = transposed(cx, diagonals)?;
    let grad_rhs = cx.op_with("TridiagonalSolve", &[transposed, grad], attrs)?;
    let (above, below) = (up(cx, solution)?, down(cx, solution)?);
    let mut rows = Vec::with_capacity(3);
    for shifted in [above, solution, below] {
        rows.push(dot(cx, grad_rhs, shifted)?);
    }
    let product = cx.op_with("Pack", &rows, Attrs::new().with("axis", -2i64))?;
    Ok(vec![Gradient::Dense(neg(cx, product)?), Gradient::Dense(grad_rhs)])
}

/// The diagonals of the transposed matrix: those above and below change places and move by one.
fn transposed(cx: &mut Cx<'_, '_>, diagonals: Endpoint) -> Result<Endpoint> {
    let row = |i: i32, range: Range| [(Some(i), Some(i + 1)), range];
    let zero = cut(cx, diagonals, &row(1, (None, Some(1))))?;
    let zero = cx.op("ZerosLike", &[zero])?;
    let main = cut(cx, diagonals, &row(1, ALL))?;
    let above = cut(cx, diagonals, &row(2, (Some(1), None)))?;
    let above = join(cx, &[above, zero], -1)?;
    let below = cut(cx, diagonals, &row(0, (None, Some(-1))))?;
    let below = join(cx, &[zero, below], -1)?;
    join(cx, &[above, main, below], -2)
}
