//! `Add`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Add(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128, string)
///
/// Differentiable.
pub fn add(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Add").input(x).input(y);
    ForOutput(node)
}
