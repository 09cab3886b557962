//! `TensorListScatterIntoExistingList`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListScatterIntoExistingList(input_handle, tensor, indices) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `tensor`: `element_dtype` (any type)
/// * `indices`: int32
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_scatter_into_existing_list(
    input_handle: &Output,
    tensor: &Output,
    indices: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorListScatterIntoExistingList")
        .input(input_handle)
        .input(tensor)
        .input(indices);
    ForOutput(node)
}
