//! `MulNoNan`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MulNoNan(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn mul_no_nan(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("MulNoNan").input(x).input(y);
    ForOutput(node)
}
