//! `SparseMatrixSparseCholesky`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixSparseCholesky(input, permutation) -> (output)`.
///
/// * `input`: variant
/// * `permutation`: int32
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `output`: variant
///
/// Has no gradient.
pub fn sparse_matrix_sparse_cholesky(input: &Output, permutation: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("SparseMatrixSparseCholesky").input(input).input(permutation);
    node.set("type", type_.into());
    ForOutput(node)
}
