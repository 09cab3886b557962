//! `SpaceToBatchND`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SpaceToBatchND(input, block_shape, paddings) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_shape`: `Tblock_shape` (int32, int64)
/// * `paddings`: `Tpaddings` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn space_to_batch_nd(input: &Output, block_shape: &Output, paddings: &Output) -> ForOutput {
    let node = NodeBuilder::new("SpaceToBatchND").input(input).input(block_shape).input(paddings);
    ForOutput(node)
}
