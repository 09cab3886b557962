//! `RaggedGather`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedGather(params_nested_splits, params_dense_values, indices) -> (output_nested_splits, output_dense_values)`.
///
/// * `params_nested_splits`: `PARAMS_RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * `params_dense_values`: `Tvalues` (any type)
/// * `indices`: `Tindices` (int32, int64)
/// * `OUTPUT_RAGGED_RANK`: attribute, int, at least 0
/// * gives `output_nested_splits`: `OUTPUT_RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * gives `output_dense_values`: `Tvalues` (any type)
///
/// Differentiable.
pub fn ragged_gather(
    params_nested_splits: &[Output],
    params_dense_values: &Output,
    indices: &Output,
    output_ragged_rank: i64,
) -> RaggedGather {
    let mut node = NodeBuilder::new("RaggedGather")
        .list(params_nested_splits)
        .input(params_dense_values)
        .input(indices);
    node.set("OUTPUT_RAGGED_RANK", output_ragged_rank.into());
    RaggedGather(node)
}

/// A `RaggedGather` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedGather(NodeBuilder);

impl RaggedGather {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedGather {
        RaggedGather(self.0.name(name))
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
