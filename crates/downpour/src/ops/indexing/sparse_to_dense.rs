//! `SparseToDense`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseToDense(sparse_indices, output_shape, sparse_values, default_value) -> (dense)`.
///
/// * `sparse_indices`: `Tindices` (int32, int64)
/// * `output_shape`: `Tindices` (int32, int64)
/// * `sparse_values`: `T` (any type)
/// * `default_value`: `T` (any type)
/// * gives `dense`: `T` (any type)
///
/// Differentiable.
pub fn sparse_to_dense(
    sparse_indices: &Output,
    output_shape: &Output,
    sparse_values: &Output,
    default_value: &Output,
) -> SparseToDense {
    let node = NodeBuilder::new("SparseToDense")
        .input(sparse_indices)
        .input(output_shape)
        .input(sparse_values)
        .input(default_value);
    SparseToDense(node)
}

/// A `SparseToDense` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseToDense(NodeBuilder);

impl SparseToDense {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> SparseToDense {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseToDense {
        SparseToDense(self.0.name(name))
    }

    /// Adds the node and gives `dense`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
