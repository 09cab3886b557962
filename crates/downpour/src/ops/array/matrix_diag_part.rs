//! `MatrixDiagPart`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDiagPart(input) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_part(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiagPart").input(input);
    ForOutput(node)
}
