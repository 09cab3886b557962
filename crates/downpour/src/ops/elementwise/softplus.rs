//! `Softplus`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Softplus(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softplus(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Softplus").input(features);
    ForOutput(node)
}
