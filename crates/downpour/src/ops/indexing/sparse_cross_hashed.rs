//! `SparseCrossHashed`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseCrossHashed(indices, values, shapes, dense_inputs, num_buckets, strong_hash, salt) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: several, of types `sparse_types`
/// * `shapes`: `N` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `num_buckets`: int64
/// * `strong_hash`: bool
/// * `salt`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: int64
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_cross_hashed(
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    dense_inputs: &[Output],
    num_buckets: &Output,
    strong_hash: &Output,
    salt: &Output,
) -> SparseCrossHashed {
    let node = NodeBuilder::new("SparseCrossHashed")
        .list(indices)
        .list(values)
        .list(shapes)
        .list(dense_inputs)
        .input(num_buckets)
        .input(strong_hash)
        .input(salt);
    SparseCrossHashed(node)
}

/// A `SparseCrossHashed` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCrossHashed(NodeBuilder);

impl SparseCrossHashed {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseCrossHashed {
        SparseCrossHashed(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
