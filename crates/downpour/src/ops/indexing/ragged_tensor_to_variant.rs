//! `RaggedTensorToVariant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedTensorToVariant(rt_nested_splits, rt_dense_values) -> (encoded_ragged)`.
///
/// * `rt_nested_splits`: `RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * `rt_dense_values`: `Tvalues` (any type)
/// * `batched_input`: attribute, bool
/// * gives `encoded_ragged`: variant
///
/// Differentiable.
pub fn ragged_tensor_to_variant(
    rt_nested_splits: &[Output],
    rt_dense_values: &Output,
    batched_input: bool,
) -> ForOutput {
    let mut node =
        NodeBuilder::new("RaggedTensorToVariant").list(rt_nested_splits).input(rt_dense_values);
    node.set("batched_input", batched_input.into());
    ForOutput(node)
}
