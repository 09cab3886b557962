//! `Erfinv`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Erfinv(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn erfinv(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Erfinv").input(x);
    ForOutput(node)
}
