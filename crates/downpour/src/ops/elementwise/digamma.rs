//! `Digamma`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Digamma(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn digamma(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Digamma").input(x);
    ForOutput(node)
}
