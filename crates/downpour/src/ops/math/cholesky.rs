//! `Cholesky`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Cholesky(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn cholesky(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Cholesky").input(input);
    ForOutput(node)
}
