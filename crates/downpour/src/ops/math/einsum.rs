//! `Einsum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Einsum(inputs) -> (output)`.
///
/// * `inputs`: `N` values of `T` (any type)
/// * `equation`: attribute, string
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn einsum(inputs: &[Output], equation: &str) -> ForOutput {
    let mut node = NodeBuilder::new("Einsum").list(inputs);
    node.set("equation", text(equation));
    ForOutput(node)
}
