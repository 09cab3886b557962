//! `RaggedTensorToVariantGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedTensorToVariantGradient(encoded_ragged_grad, row_splits, dense_values_shape) -> (dense_values_grad)`.
///
/// * `encoded_ragged_grad`: variant
/// * `row_splits`: `Tsplits` (int32, int64)
/// * `dense_values_shape`: int32
/// * `Tvalues`: attribute, type
/// * gives `dense_values_grad`: `Tvalues` (any type)
///
/// Has no gradient.
pub fn ragged_tensor_to_variant_gradient(
    encoded_ragged_grad: &Output,
    row_splits: &Output,
    dense_values_shape: &Output,
    tvalues: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("RaggedTensorToVariantGradient")
        .input(encoded_ragged_grad)
        .input(row_splits)
        .input(dense_values_shape);
    node.set("Tvalues", tvalues.into());
    ForOutput(node)
}
