//! `BesselY0`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BesselY0(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_y0(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselY0").input(x);
    ForOutput(node)
}
