//! `MatrixDiagV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDiagV2(diagonal, k, num_rows, num_cols, padding_value) -> (output)`.
///
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * `num_rows`: int32
/// * `num_cols`: int32
/// * `padding_value`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_v2(
    diagonal: &Output,
    k: &Output,
    num_rows: &Output,
    num_cols: &Output,
    padding_value: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiagV2")
        .input(diagonal)
        .input(k)
        .input(num_rows)
        .input(num_cols)
        .input(padding_value);
    ForOutput(node)
}
