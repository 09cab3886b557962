//! `TensorListScatter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListScatter(tensor, indices, element_shape) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `indices`: int32
/// * `element_shape`: `shape_type` (int32, int64)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_scatter(tensor: &Output, indices: &Output, element_shape: &Output) -> ForOutput {
    let node =
        NodeBuilder::new("TensorListScatter").input(tensor).input(indices).input(element_shape);
    ForOutput(node)
}
