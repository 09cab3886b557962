//! `BatchMatrixSetDiag`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatrixSetDiag(input, diagonal) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn batch_matrix_set_diag(input: &Output, diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchMatrixSetDiag").input(input).input(diagonal);
    ForOutput(node)
}
