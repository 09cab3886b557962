//! `Erf`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Erf(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn erf(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Erf").input(x);
    ForOutput(node)
}
