//! `TensorListElementShape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListElementShape(input_handle) -> (element_shape)`.
///
/// * `input_handle`: variant
/// * `shape_type`: attribute, type, one of int32, int64
/// * gives `element_shape`: `shape_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn tensor_list_element_shape(input_handle: &Output, shape_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListElementShape").input(input_handle);
    node.set("shape_type", shape_type.into());
    ForOutput(node)
}
