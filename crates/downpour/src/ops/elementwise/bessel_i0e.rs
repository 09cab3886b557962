//! `BesselI0e`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BesselI0e(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_i0e(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselI0e").input(x);
    ForOutput(node)
}
