//! `Igammac`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Igammac(a, x) -> (z)`.
///
/// * `a`: `T` (bfloat16, half, float, double)
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `z`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn igammac(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Igammac").input(a).input(x);
    ForOutput(node)
}
