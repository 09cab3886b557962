//! `Atan`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Atan(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn atan(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Atan").input(x);
    ForOutput(node)
}
