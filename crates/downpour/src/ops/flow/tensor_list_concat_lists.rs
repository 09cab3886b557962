//! `TensorListConcatLists`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorListConcatLists(input_a, input_b) -> (output)`.
///
/// * `input_a`: variant
/// * `input_b`: variant
/// * `element_dtype`: attribute, type
/// * gives `output`: variant
///
/// Gradients do not flow through it.
pub fn tensor_list_concat_lists(
    input_a: &Output,
    input_b: &Output,
    element_dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("TensorListConcatLists").input(input_a).input(input_b);
    node.set("element_dtype", element_dtype.into());
    ForOutput(node)
}
