//! `Reshape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Reshape(tensor, shape) -> (output)`.
///
/// * `tensor`: `T` (any type)
/// * `shape`: `Tshape` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn reshape(tensor: &Output, shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("Reshape").input(tensor).input(shape);
    ForOutput(node)
}
