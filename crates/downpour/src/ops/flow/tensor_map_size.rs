//! `TensorMapSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorMapSize(input_handle) -> (size)`.
///
/// * `input_handle`: variant
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn tensor_map_size(input_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorMapSize").input(input_handle);
    ForOutput(node)
}
