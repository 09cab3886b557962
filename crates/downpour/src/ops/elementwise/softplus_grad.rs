//! `SoftplusGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SoftplusGrad(gradients, features) -> (backprops)`.
///
/// * `gradients`: `T` (half, bfloat16, float, double)
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `backprops`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softplus_grad(gradients: &Output, features: &Output) -> ForOutput {
    let node = NodeBuilder::new("SoftplusGrad").input(gradients).input(features);
    ForOutput(node)
}
