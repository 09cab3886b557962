//! `TensorMapStackKeys`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorMapStackKeys(input_handle) -> (keys)`.
///
/// * `input_handle`: variant
/// * `key_dtype`: attribute, type
/// * gives `keys`: `key_dtype` (any type)
///
/// Gradients do not flow through it.
pub fn tensor_map_stack_keys(input_handle: &Output, key_dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorMapStackKeys").input(input_handle);
    node.set("key_dtype", key_dtype.into());
    ForOutput(node)
}
