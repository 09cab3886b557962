//! `DenseToCSRSparseMatrix`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DenseToCSRSparseMatrix(dense_input, indices) -> (sparse_output)`.
///
/// * `dense_input`: `T` (float, double, complex64, complex128)
/// * `indices`: int64
/// * gives `sparse_output`: variant
///
/// Differentiable.
pub fn dense_to_csr_sparse_matrix(dense_input: &Output, indices: &Output) -> ForOutput {
    let node = NodeBuilder::new("DenseToCSRSparseMatrix").input(dense_input).input(indices);
    ForOutput(node)
}
