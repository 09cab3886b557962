//! `SparseMatrixZeros`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixZeros(dense_shape) -> (sparse_matrix)`.
///
/// * `dense_shape`: int64
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `sparse_matrix`: variant
///
/// Gradients do not flow through it.
pub fn sparse_matrix_zeros(dense_shape: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("SparseMatrixZeros").input(dense_shape);
    node.set("type", type_.into());
    ForOutput(node)
}
