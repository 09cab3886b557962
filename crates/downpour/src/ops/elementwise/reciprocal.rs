//! `Reciprocal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Reciprocal(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn reciprocal(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Reciprocal").input(x);
    ForOutput(node)
}
