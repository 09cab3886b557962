//! `IsInf`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IsInf(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: bool
///
/// Gradients do not flow through it.
pub fn is_inf(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("IsInf").input(x);
    ForOutput(node)
}
