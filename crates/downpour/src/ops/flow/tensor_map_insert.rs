//! `TensorMapInsert`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorMapInsert(input_handle, key, value) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * `value`: `value_dtype` (any type)
/// * gives `output_handle`: variant
///
/// Has no gradient.
pub fn tensor_map_insert(input_handle: &Output, key: &Output, value: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorMapInsert").input(input_handle).input(key).input(value);
    ForOutput(node)
}
