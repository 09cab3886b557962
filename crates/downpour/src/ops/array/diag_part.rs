//! `DiagPart`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DiagPart(input) -> (diagonal)`.
///
/// * `input`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `diagonal`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn diag_part(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("DiagPart").input(input);
    ForOutput(node)
}
