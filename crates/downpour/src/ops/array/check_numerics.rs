//! `CheckNumerics`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CheckNumerics(tensor) -> (output)`.
///
/// * `tensor`: `T` (bfloat16, half, float, double)
/// * `message`: attribute, string
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable. Has state or effects.
pub fn check_numerics(tensor: &Output, message: &str) -> ForOutput {
    let mut node = NodeBuilder::new("CheckNumerics").input(tensor);
    node.set("message", text(message));
    ForOutput(node)
}
