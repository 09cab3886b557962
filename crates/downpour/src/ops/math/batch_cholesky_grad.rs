//! `BatchCholeskyGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchCholeskyGrad(l, grad) -> (output)`.
///
/// * `l`: `T` (float, double)
/// * `grad`: `T` (float, double)
/// * gives `output`: `T` (float, double)
///
/// Has no gradient.
pub fn batch_cholesky_grad(l: &Output, grad: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchCholeskyGrad").input(l).input(grad);
    ForOutput(node)
}
