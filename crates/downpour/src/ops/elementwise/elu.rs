//! `Elu`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Elu(features) -> (activations)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * gives `activations`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn elu(features: &Output) -> ForOutput {
    let node = NodeBuilder::new("Elu").input(features);
    ForOutput(node)
}
