//! `TensorListGetItem`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListGetItem(input_handle, index, element_shape) -> (item)`.
///
/// * `input_handle`: variant
/// * `index`: int32
/// * `element_shape`: `Tshape` (int32, int64)
/// * `element_dtype`: attribute, type
/// * gives `item`: `element_dtype` (any type)
///
/// Differentiable.
pub fn tensor_list_get_item(
    input_handle: &Output,
    index: &Output,
    element_shape: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("TensorListGetItem").input(input_handle).input(index).input(element_shape);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}
