//! `TensorListPushBack`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListPushBack(input_handle, tensor) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `tensor`: `element_dtype` (any type)
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_push_back(input_handle: &Output, tensor: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListPushBack").input(input_handle).input(tensor);
    ForOutput(node)
}
