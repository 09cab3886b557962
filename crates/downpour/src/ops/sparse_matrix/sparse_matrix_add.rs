//! `SparseMatrixAdd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixAdd(a, b, alpha, beta) -> (c)`.
///
/// * `a`: variant
/// * `b`: variant
/// * `alpha`: `T` (float, double, complex64, complex128)
/// * `beta`: `T` (float, double, complex64, complex128)
/// * gives `c`: variant
///
/// Differentiable.
pub fn sparse_matrix_add(a: &Output, b: &Output, alpha: &Output, beta: &Output) -> ForOutput {
    let node = NodeBuilder::new("SparseMatrixAdd").input(a).input(b).input(alpha).input(beta);
    ForOutput(node)
}
