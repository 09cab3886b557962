//! `MatrixSetDiagV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixSetDiagV2(input, diagonal, k) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `diagonal`: `T` (any type)
/// * `k`: int32
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn matrix_set_diag_v2(input: &Output, diagonal: &Output, k: &Output) -> ForOutput {
    let node = NodeBuilder::new("MatrixSetDiagV2").input(input).input(diagonal).input(k);
    ForOutput(node)
}
