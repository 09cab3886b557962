//! `TensorListScatterV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListScatterV2(tensor, indices, element_shape, num_elements) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `indices`: int32
/// * `element_shape`: `shape_type` (int32, int64)
/// * `num_elements`: int32
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_scatter_v2(
    tensor: &Output,
    indices: &Output,
    element_shape: &Output,
    num_elements: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorListScatterV2")
        .input(tensor)
        .input(indices)
        .input(element_shape)
        .input(num_elements);
    ForOutput(node)
}
