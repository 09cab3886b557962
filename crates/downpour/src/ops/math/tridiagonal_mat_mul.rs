//! `TridiagonalMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TridiagonalMatMul(superdiag, maindiag, subdiag, rhs) -> (output)`.
///
/// * `superdiag`: `T` (double, float, complex64, complex128)
/// * `maindiag`: `T` (double, float, complex64, complex128)
/// * `subdiag`: `T` (double, float, complex64, complex128)
/// * `rhs`: `T` (double, float, complex64, complex128)
/// * gives `output`: `T` (double, float, complex64, complex128)
///
/// Differentiable.
pub fn tridiagonal_mat_mul(
    superdiag: &Output,
    maindiag: &Output,
    subdiag: &Output,
    rhs: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TridiagonalMatMul")
        .input(superdiag)
        .input(maindiag)
        .input(subdiag)
        .input(rhs);
    ForOutput(node)
}
