//! `Lgamma`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Lgamma(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn lgamma(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Lgamma").input(x);
    ForOutput(node)
}
