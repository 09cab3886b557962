//! `SparseMatrixNNZ`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixNNZ(sparse_matrix) -> (nnz)`.
///
/// * `sparse_matrix`: variant
/// * gives `nnz`: int32
///
/// Gradients do not flow through it.
pub fn sparse_matrix_nnz(sparse_matrix: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseMatrixNNZ").input(sparse_matrix);
    ForOutput(node)
}
