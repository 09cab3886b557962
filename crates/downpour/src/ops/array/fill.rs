//! `Fill`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Fill(dims, value) -> (output)`.
///
/// * `dims`: `index_type` (int32, int64)
/// * `value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn fill(dims: &Output, value: &Output) -> ForOutput {
    let node = NodeBuilder::new("Fill").input(dims).input(value);
    ForOutput(node)
}
