//! `TensorListGather`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListGather(input_handle, indices, element_shape) -> (values)`.
///
/// * `input_handle`: variant
/// * `indices`: int32
/// * `element_shape`: int32
/// * `element_dtype`: attribute, type
/// * gives `values`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_gather(
    input_handle: &Output,
    indices: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListGather")
        .input(input_handle)
        .input(indices)
        .input(element_shape);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}
