//! `RaggedTensorToSparse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedTensorToSparse(rt_nested_splits, rt_dense_values) -> (sparse_indices, sparse_values, sparse_dense_shape)`.
///
/// * `rt_nested_splits`: `RAGGED_RANK` values of `Tsplits` (int32, int64)
/// * `rt_dense_values`: `T` (any type)
/// * gives `sparse_indices`: int64
/// * gives `sparse_values`: `T` (any type)
/// * gives `sparse_dense_shape`: int64
///
/// Differentiable.
pub fn ragged_tensor_to_sparse(
    rt_nested_splits: &[Output],
    rt_dense_values: &Output,
) -> RaggedTensorToSparse {
    let node =
        NodeBuilder::new("RaggedTensorToSparse").list(rt_nested_splits).input(rt_dense_values);
    RaggedTensorToSparse(node)
}

/// A `RaggedTensorToSparse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedTensorToSparse(NodeBuilder);

impl RaggedTensorToSparse {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedTensorToSparse {
        RaggedTensorToSparse(self.0.name(name))
    }

    /// Adds the node and gives (`sparse_indices`, `sparse_values`, `sparse_dense_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
