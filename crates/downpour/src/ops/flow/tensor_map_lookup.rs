//! `TensorMapLookup`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorMapLookup(input_handle, key) -> (value)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `value`: `value_dtype` (any type)
///
/// Differentiable.
pub fn tensor_map_lookup(input_handle: &Output, key: &Output, value_dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorMapLookup").input(input_handle).input(key);
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}
