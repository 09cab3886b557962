//! `CSRSparseMatrixToDense`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CSRSparseMatrixToDense(sparse_input) -> (dense_output)`.
///
/// * `sparse_input`: variant
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `dense_output`: `type` (float, double, complex64, complex128)
///
/// Differentiable.
pub fn csr_sparse_matrix_to_dense(sparse_input: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("CSRSparseMatrixToDense").input(sparse_input);
    node.set("type", type_.into());
    ForOutput(node)
}
