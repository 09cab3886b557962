//! `TensorListPushBackBatch`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListPushBackBatch(input_handles, tensor) -> (output_handles)`.
///
/// * `input_handles`: variant
/// * `tensor`: `element_dtype` (any type)
/// * gives `output_handles`: variant
///
/// Gradients do not flow through it.
pub fn tensor_list_push_back_batch(input_handles: &Output, tensor: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListPushBackBatch").input(input_handles).input(tensor);
    ForOutput(node)
}
