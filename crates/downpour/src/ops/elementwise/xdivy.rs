//! `Xdivy`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Xdivy(x, y) -> (z)`.
///
/// * `x`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * `y`: `T` (half, bfloat16, float, double, complex64, complex128)
/// * gives `z`: `T` (half, bfloat16, float, double, complex64, complex128)
///
/// Differentiable.
pub fn xdivy(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Xdivy").input(x).input(y);
    ForOutput(node)
}
