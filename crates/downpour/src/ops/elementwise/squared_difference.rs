//! `SquaredDifference`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SquaredDifference(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn squared_difference(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("SquaredDifference").input(x).input(y);
    ForOutput(node)
}
