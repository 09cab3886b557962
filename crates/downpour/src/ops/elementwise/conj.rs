//! `Conj`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Conj(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128, variant)
/// * gives `output`: `T` (complex64, complex128, variant)
///
/// Differentiable.
pub fn conj(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Conj").input(input);
    ForOutput(node)
}
