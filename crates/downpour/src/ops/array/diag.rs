//! `Diag`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Diag(diagonal) -> (output)`.
///
/// * `diagonal`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `output`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn diag(diagonal: &Output) -> ForOutput {
    let node = NodeBuilder::new("Diag").input(diagonal);
    ForOutput(node)
}
