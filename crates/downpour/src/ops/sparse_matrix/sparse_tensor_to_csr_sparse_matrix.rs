//! `SparseTensorToCSRSparseMatrix`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseTensorToCSRSparseMatrix(indices, values, dense_shape) -> (sparse_matrix)`.
///
/// * `indices`: int64
/// * `values`: `T` (float, double, complex64, complex128)
/// * `dense_shape`: int64
/// * gives `sparse_matrix`: variant
///
/// Differentiable.
pub fn sparse_tensor_to_csr_sparse_matrix(indices: &Output, values: &Output, dense_shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseTensorToCSRSparseMatrix").input(indices).input(values).input(dense_shape);
    ForOutput(node)
}
