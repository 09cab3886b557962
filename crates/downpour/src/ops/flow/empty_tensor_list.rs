//! `EmptyTensorList`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EmptyTensorList(element_shape, max_num_elements) -> (handle)`.
///
/// * `element_shape`: `shape_type` (int32, int64)
/// * `max_num_elements`: int32
/// * `element_dtype`: attribute, type
/// * gives `handle`: variant
///
/// Gradients do not flow through it.
pub fn empty_tensor_list(
    element_shape: &Output,
    max_num_elements: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("EmptyTensorList").input(element_shape).input(max_num_elements);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}
