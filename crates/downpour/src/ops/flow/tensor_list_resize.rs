//! `TensorListResize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListResize(input_handle, size) -> (output_handle)`.
///
/// * `input_handle`: variant
/// * `size`: int32
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_resize(input_handle: &Output, size: &Output) -> ForOutput {
    let node = NodeBuilder::new("TensorListResize").input(input_handle).input(size);
    ForOutput(node)
}
