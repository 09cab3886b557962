//! `TensorListSplit`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListSplit(tensor, element_shape, lengths) -> (output_handle)`.
///
/// * `tensor`: `element_dtype` (any type)
/// * `element_shape`: `shape_type` (int32, int64)
/// * `lengths`: int64
/// * gives `output_handle`: variant
///
/// Differentiable.
pub fn tensor_list_split(tensor: &Output, element_shape: &Output, lengths: &Output) -> ForOutput {
    let node =
        NodeBuilder::new("TensorListSplit").input(tensor).input(element_shape).input(lengths);
    ForOutput(node)
}
