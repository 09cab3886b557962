//! `DivNoNan`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DivNoNan(x, y) -> (z)`.
///
/// * `x`: `T` (half, float, bfloat16, double, complex64, complex128)
/// * `y`: `T` (half, float, bfloat16, double, complex64, complex128)
/// * gives `z`: `T` (half, float, bfloat16, double, complex64, complex128)
///
/// Differentiable.
pub fn div_no_nan(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("DivNoNan").input(x).input(y);
    ForOutput(node)
}
