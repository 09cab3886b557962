//! `Tile`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Tile(input, multiples) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `multiples`: `Tmultiples` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn tile(input: &Output, multiples: &Output) -> ForOutput {
    let node = NodeBuilder::new("Tile").input(input).input(multiples);
    ForOutput(node)
}
