//! `RaggedCross`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedCross(ragged_values, ragged_row_splits, sparse_indices, sparse_values, sparse_shape, dense_inputs) -> (output_values, output_row_splits)`.
///
/// * `ragged_values`: several, of types `ragged_values_types`
/// * `ragged_row_splits`: several, of types `ragged_splits_types`
/// * `sparse_indices`: `Nsparse` values of int64
/// * `sparse_values`: several, of types `sparse_values_types`
/// * `sparse_shape`: `Nsparse` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `input_order`: attribute, string
/// * `hashed_output`: attribute, bool
/// * `num_buckets`: attribute, int, at least 0
/// * `hash_key`: attribute, int
/// * `out_values_type`: attribute, type, one of int64, string
/// * `out_row_splits_type`: attribute, type, one of int32, int64
/// * gives `output_values`: `out_values_type` (int64, string)
/// * gives `output_row_splits`: `out_row_splits_type` (int32, int64)
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn ragged_cross(
    graph: &Graph,
    ragged_values: &[Output],
    ragged_row_splits: &[Output],
    sparse_indices: &[Output],
    sparse_values: &[Output],
    sparse_shape: &[Output],
    dense_inputs: &[Output],
    input_order: &str,
    hashed_output: bool,
    num_buckets: i64,
    hash_key: i64,
    out_values_type: DataType,
    out_row_splits_type: DataType,
) -> RaggedCross {
    let mut node = NodeBuilder::in_graph(graph, "RaggedCross")
        .list(ragged_values)
        .list(ragged_row_splits)
        .list(sparse_indices)
        .list(sparse_values)
        .list(sparse_shape)
        .list(dense_inputs);
    node.set("input_order", text(input_order));
    node.set("hashed_output", hashed_output.into());
    node.set("num_buckets", num_buckets.into());
    node.set("hash_key", hash_key.into());
    node.set("out_values_type", out_values_type.into());
    node.set("out_row_splits_type", out_row_splits_type.into());
    RaggedCross(node)
}

/// A `RaggedCross` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedCross(NodeBuilder);

impl RaggedCross {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedCross {
        RaggedCross(self.0.name(name))
    }

    /// Adds the node and gives (`output_values`, `output_row_splits`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
