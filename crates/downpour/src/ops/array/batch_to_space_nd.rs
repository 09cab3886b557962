//! `BatchToSpaceND`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchToSpaceND(input, block_shape, crops) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `block_shape`: `Tblock_shape` (int32, int64)
/// * `crops`: `Tcrops` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_to_space_nd(input: &Output, block_shape: &Output, crops: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchToSpaceND").input(input).input(block_shape).input(crops);
    ForOutput(node)
}
