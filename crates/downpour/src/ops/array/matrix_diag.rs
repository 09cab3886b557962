//! `MatrixDiag`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDiag(diagonal) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag(diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiag").input(diagonal);
    ForOutput(node)
}
