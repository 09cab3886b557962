//! `RsqrtGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RsqrtGrad(y, dy) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `dy`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn rsqrt_grad(y: &Output, dy: &Output) -> ForOutput {
    let node = NodeBuilder::new("RsqrtGrad").input(y).input(dy);
    ForOutput(node)
}
