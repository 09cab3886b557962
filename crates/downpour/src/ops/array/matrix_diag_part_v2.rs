//! `MatrixDiagPartV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixDiagPartV2(input, k, padding_value) -> (diagonal)`.
///
/// * `input`: `T` (any type)
/// * `k`: int32
/// * `padding_value`: `T` (any type)
/// * gives `diagonal`: `T` (any type)
///
/// Differentiable.
pub fn matrix_diag_part_v2(input: &Output, k: &Output, padding_value: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixDiagPartV2").input(input).input(k).input(padding_value);
    ForOutput(node)
}
