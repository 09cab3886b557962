//! `TensorListReserve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListReserve(element_shape, num_elements) -> (handle)`.
///
/// * `element_shape`: `shape_type` (int32, int64)
/// * `num_elements`: int32
/// * `element_dtype`: attribute, type
/// * gives `handle`: variant
///
/// Gradients do not flow through it.
pub fn tensor_list_reserve(
    element_shape: &Output,
    num_elements: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListReserve").input(element_shape).input(num_elements);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}
