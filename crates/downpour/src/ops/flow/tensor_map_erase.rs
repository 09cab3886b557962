//! `TensorMapErase`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorMapErase(input_handle, key) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `key`: `key_dtype` (any type)
/// * `value_dtype`: attribute, type
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_map_erase(input_handle: &Output, key: &Output, value_dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorMapErase").input(input_handle).input(key);
    node.set("value_dtype", value_dtype.into());
    ForOutput(node)
}
