//! `PlaceholderWithDefault`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PlaceholderWithDefault(input) -> (output)`.
///
/// * `input`: `dtype` (any type)
/// * `shape`: attribute, shape
/// * gives `output`: `dtype` (any type)
///
/// Differentiable.
pub fn placeholder_with_default(input: &Output, shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("PlaceholderWithDefault").input(input);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}
