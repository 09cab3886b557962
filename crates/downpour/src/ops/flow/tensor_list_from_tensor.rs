//! `TensorListFromTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListFromTensor(tensor, element_shape) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `element_shape`: `shape_type` (int32, int64)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_from_tensor(tensor: &Output, element_shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListFromTensor").input(tensor).input(element_shape);
    ForOutput(node)
}
