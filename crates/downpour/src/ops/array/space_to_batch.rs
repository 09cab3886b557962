//! `SpaceToBatch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SpaceToBatch(input, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn space_to_batch(input: &Output, paddings: &Output, block_size: i64) -> ForOutput {
    let mut node = NodeBuilder::new("SpaceToBatch").input(input).input(paddings);
    node.set("block_size", block_size.into());
    ForOutput(node)
}
