//! `Pow`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Pow(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, float, half, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn pow(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Pow").input(x).input(y);
    ForOutput(node)
}
