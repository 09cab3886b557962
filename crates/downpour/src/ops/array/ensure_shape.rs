//! `EnsureShape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EnsureShape(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `shape`: attribute, shape
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn ensure_shape(input: &Output, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("EnsureShape").input(input);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}
