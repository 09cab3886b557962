//! `Polygamma`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Polygamma(a, x) -> (z)`.
///
/// * `a`: `T` (float, double)
/// * `x`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Differentiable.
pub fn polygamma(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Polygamma").input(a).input(x);
    ForOutput(node)
}
