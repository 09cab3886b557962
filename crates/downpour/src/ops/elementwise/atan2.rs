//! `Atan2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Atan2(y, x) -> (z)`.
///
/// * `y`: `T` (bfloat16, half, float, double)
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `z`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn atan2(y: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Atan2").input(y).input(x);
    ForOutput(node)
}
