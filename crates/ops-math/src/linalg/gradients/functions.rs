//! Gradients of functions of square matrices.

use downpour_graph::{Attrs, Endpoint, Gradient};
use downpour_tensor::{Result, Tensor};

use super::{Cx, add, expand, join, mul, transpose};

/// grad A^-H
pub(crate) fn log_determinant(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (matrix, output, grad) = (cx.input(0), cx.output(1), cx.grad(1)?);
    let inverse = cx.op_with("MatrixInverse", &[matrix], Attrs::new().with("adjoint", true))?;
    let shape = cx.shape(output)?;
    let ones = cx.constant(Tensor::vector(&[1i32, 1])?)?;
    let shape = join(cx, &[shape, ones], 0)?;
    let grad = cx.op("Reshape", &[grad, shape])?;
    Ok(vec![Gradient::Dense(mul(cx, grad, inverse)?)])
}

/// From R R = A: the gradient X solves R^T X + X R^T = grad, written as one system for all of X.
pub(crate) fn square_root(cx: &mut Cx<'_, '_>) -> Result<Vec<Gradient>> {
    let (root, grad) = (cx.output(0), cx.grad(0)?);
    let diagonal = cx.op("MatrixDiagPart", &[root])?;
    let ones = cx.op("OnesLike", &[diagonal])?;
    let identity = cx.op("MatrixDiag", &[ones])?;
    let shape = cx.shape(root)?;
    let rank = cx.op("Size", &[shape])?;
    let two = cx.scalar(2i32)?;
    let batch_axes = cx.op("Sub", &[rank, two])?;
    let batch_axes = expand(cx, batch_axes, 0)?;
    let zero = cx.constant(Tensor::vector(&[0i32])?)?;
    let one = cx.constant(Tensor::vector(&[1i32])?)?;
    let batch = cx.op("Slice", &[shape, zero, batch_axes])?;
    let size = cx.op("Slice", &[shape, batch_axes, one])?;
    let square = mul(cx, size, size)?;
    let system_shape = join(cx, &[batch, square, square], 0)?;
    let transposed = transpose(cx, root)?;
    let left = kronecker(cx, identity, transposed, system_shape)?;
    let right = kronecker(cx, root, identity, system_shape)?;
    let system = add(cx, left, right)?;
    let rhs = transpose(cx, grad)?;
    let column = join(cx, &[batch, square, one], 0)?;
    let rhs = cx.op("Reshape", &[rhs, column])?;
    let solution = cx.op("MatrixSolve", &[system, rhs])?;
    let solution = cx.op("Reshape", &[solution, shape])?;
    Ok(vec![Gradient::Dense(transpose(cx, solution)?)])
}

fn kronecker(cx: &mut Cx<'_, '_>, a: Endpoint, b: Endpoint, shape: Endpoint) -> Result<Endpoint> {
    let a = expand(cx, a, -1)?;
    let a = expand(cx, a, -3)?;
    let b = expand(cx, b, -2)?;
    let b = expand(cx, b, -4)?;
    let product = mul(cx, a, b)?;
    cx.op("Reshape", &[product, shape])
}
