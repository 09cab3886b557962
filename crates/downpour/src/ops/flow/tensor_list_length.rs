//! `TensorListLength`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListLength(input_handle) -> (length)`.
///
/// * `input_handle`: variant
/// * gives `length`: int32
///
/// Gradients do not flow through it.
pub fn tensor_list_length(input_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListLength").input(input_handle);
    ForOutput(node)
}
