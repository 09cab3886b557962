//! `BatchMatrixDeterminant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatrixDeterminant(input) -> (output)`.
///
/// * `input`: `T` (float, double, complex64, complex128)
/// * gives `output`: `T` (float, double, complex64, complex128)
///
/// Differentiable.
pub fn batch_matrix_determinant(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchMatrixDeterminant").input(input);
    ForOutput(node)
}
