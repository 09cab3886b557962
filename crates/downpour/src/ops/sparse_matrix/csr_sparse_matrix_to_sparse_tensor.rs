//! `CSRSparseMatrixToSparseTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CSRSparseMatrixToSparseTensor(sparse_matrix) -> (indices, values, dense_shape)`.
///
/// * `sparse_matrix`: variant
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `indices`: int64
/// * gives `values`: `type` (float, double, complex64, complex128)
/// * gives `dense_shape`: int64
///
/// Differentiable.
pub fn csr_sparse_matrix_to_sparse_tensor(sparse_matrix: &Output, type_: DataType) -> CSRSparseMatrixToSparseTensor {
    let mut node = NodeBuilder::new("CSRSparseMatrixToSparseTensor").input(sparse_matrix);
    node.set("type", type_.into());
    CSRSparseMatrixToSparseTensor(node)
}

/// A `CSRSparseMatrixToSparseTensor` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CSRSparseMatrixToSparseTensor(NodeBuilder);

impl CSRSparseMatrixToSparseTensor {
    /// Names the node.
    pub fn name(self, name: &str) -> CSRSparseMatrixToSparseTensor {
        CSRSparseMatrixToSparseTensor(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `dense_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
