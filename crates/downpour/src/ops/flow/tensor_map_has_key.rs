//! `TensorMapHasKey`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorMapHasKey(input_handle, key) -> (has_key)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * gives `has_key`: bool
///
/// Gradients do not flow through it.
pub fn tensor_map_has_key(input_handle: &Output, key: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorMapHasKey").input(input_handle).input(key);
    ForOutput(node)
}
