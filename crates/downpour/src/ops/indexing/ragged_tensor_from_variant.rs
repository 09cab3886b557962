//! `RaggedTensorFromVariant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedTensorFromVariant(encoded_ragged) -> (output_nested_splits, output_dense_values)`.
///
/// * `encoded_ragged`: variant
/// * `input_ragged_rank`: attribute, int, at least -1
/// * `output_ragged_rank`: attribute, int, at least 0
/// * `Tvalues`: attribute, type
/// * gives `output_nested_splits`: `output_ragged_rank` values of `Tsplits` (int32, int64)
/// * gives `output_dense_values`: `Tvalues` (any type)
///
/// Differentiable.
pub fn ragged_tensor_from_variant(
    encoded_ragged: &Output,
    input_ragged_rank: i64,
    output_ragged_rank: i64,
    tvalues: DataType,
) -> RaggedTensorFromVariant {
    let mut node = NodeBuilder::new("RaggedTensorFromVariant").input(encoded_ragged);
    node.set("input_ragged_rank", input_ragged_rank.into());
    node.set("output_ragged_rank", output_ragged_rank.into());
    node.set("Tvalues", tvalues.into());
    RaggedTensorFromVariant(node)
}

/// A `RaggedTensorFromVariant` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedTensorFromVariant(NodeBuilder);

impl RaggedTensorFromVariant {
    /// The attribute `Tsplits`; int64 unless set.
    pub fn tsplits(mut self, value: DataType) -> RaggedTensorFromVariant {
        self.0.set("Tsplits", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RaggedTensorFromVariant {
        RaggedTensorFromVariant(self.0.name(name))
    }

    /// Adds the node and gives (`output_nested_splits`, `output_dense_values`).
    pub fn build(self) -> Result<(Vec<Output>, Output)> {
        let operation = self.0.operation()?;
        Ok((
            operation.named_outputs("output_nested_splits")?,
            only(operation.named_outputs("output_dense_values")?)?,
        ))
    }
}
