//! `BatchToSpace`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchToSpace(input, crops) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `crops`: `Tidx` (int32, int64)
/// * `block_size`: attribute, int, at least 2
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_to_space(input: &Output, crops: &Output, block_size: i64) -> ForOutput {
    let mut node = NodeBuilder::new("BatchToSpace").input(input).input(crops);
    node.set("block_size", block_size.into());
    ForOutput(node)
}
