//! `Rint`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Rint(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Gradients do not flow through it.
pub fn rint(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Rint").input(x);
    ForOutput(node)
}
