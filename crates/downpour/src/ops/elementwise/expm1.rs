//! `Expm1`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Expm1(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn expm1(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Expm1").input(x);
    ForOutput(node)
}
