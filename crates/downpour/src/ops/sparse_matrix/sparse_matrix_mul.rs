//! `SparseMatrixMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixMul(a, b) -> (output)`.
///
/// * `a`: variant
/// * `b`: `T` (any type)
/// * gives `output`: variant
///
/// Has no gradient.
pub fn sparse_matrix_mul(a: &Output, b: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseMatrixMul").input(a).input(b);
    ForOutput(node)
}
