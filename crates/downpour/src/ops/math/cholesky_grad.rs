//! `CholeskyGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CholeskyGrad(l, grad) -> (output)`.
///
/// * `l`: `T` (half, float, double)
/// * `grad`: `T` (half, float, double)
/// * gives `output`: `T` (half, float, double)
///
/// Has no gradient.
pub fn cholesky_grad(l: &Output, grad: &Output) -> ForOutput {
    let node = NodeBuilder::new("CholeskyGrad").input(l).input(grad);
    ForOutput(node)
}
