//! `Abs`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Abs(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64)
///
/// Differentiable.
pub fn abs(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Abs").input(x);
    ForOutput(node)
}
