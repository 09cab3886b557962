//! `Slice`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Slice(input, begin, size) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `begin`: `Index` (int32, int64)
/// * `size`: `Index` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn slice(input: &Output, begin: &Output, size: &Output) -> ForOutput {
    let node = NodeBuilder::new("Slice").input(input).input(begin).input(size);
    ForOutput(node)
}
