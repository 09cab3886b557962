//! `Log1p`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Log1p(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, complex64, complex128)
///
/// Differentiable.
pub fn log1p(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Log1p").input(x);
    ForOutput(node)
}
