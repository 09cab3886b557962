//! `SparseCross`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseCross(indices, values, shapes, dense_inputs) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: several, of types `sparse_types`
/// * `shapes`: `N` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `hashed_output`: attribute, bool
/// * `num_buckets`: attribute, int, at least 0
/// * `hash_key`: attribute, int
/// * `out_type`: attribute, type, one of int64, string
/// * `internal_type`: attribute, type, one of int64, string
/// * gives `output_indices`: int64
/// * gives `output_values`: `out_type` (int64, string)
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_cross(
    graph: &Graph,
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    dense_inputs: &[Output],
    hashed_output: bool,
    num_buckets: i64,
    hash_key: i64,
    out_type: DataType,
    internal_type: DataType,
) -> SparseCross {
    let mut node = NodeBuilder::in_graph(graph, "SparseCross")
        .list(indices)
        .list(values)
        .list(shapes)
        .list(dense_inputs);
    node.set("hashed_output", hashed_output.into());
    node.set("num_buckets", num_buckets.into());
    node.set("hash_key", hash_key.into());
    node.set("out_type", out_type.into());
    node.set("internal_type", internal_type.into());
    SparseCross(node)
}

/// A `SparseCross` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCross(NodeBuilder);

impl SparseCross {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseCross {
        SparseCross(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
