//! `MatrixLogarithm`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixLogarithm(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `T` (complex64, complex128)
///
/// Has no gradient.
pub fn matrix_logarithm(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixLogarithm").input(input);
    ForOutput(node)
}
