//! `MatrixDeterminant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDeterminant(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_determinant(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDeterminant").input(input);
    ForOutput(node)
}
