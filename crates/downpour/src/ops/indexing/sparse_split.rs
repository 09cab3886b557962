//! `SparseSplit`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSplit(split_dim, indices, values, shape) -> (output_indices, output_values, output_shape)`.
///
/// * `split_dim`: int64
/// * `indices`: int64
/// * `values`: `T` (any type)
/// * `shape`: int64
/// * `num_split`: attribute, int, at least 1
/// * gives `output_indices`: `num_split` values of int64
/// * gives `output_values`: `num_split` values of `T` (any type)
/// * gives `output_shape`: `num_split` values of int64
///
/// Has no gradient.
pub fn sparse_split(
    split_dim: &Output,
    indices: &Output,
    values: &Output,
    shape: &Output,
    num_split: i64,
) -> SparseSplit {
    let mut node =
        NodeBuilder::new("SparseSplit").input(split_dim).input(indices).input(values).input(shape);
    node.set("num_split", num_split.into());
    SparseSplit(node)
}

/// A `SparseSplit` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSplit(NodeBuilder);

impl SparseSplit {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSplit {
        SparseSplit(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Vec<Output>, Vec<Output>, Vec<Output>)> {
        let operation = self.0.operation()?;
        Ok((
            operation.named_outputs("output_indices")?,
            operation.named_outputs("output_values")?,
            operation.named_outputs("output_shape")?,
        ))
    }
}
