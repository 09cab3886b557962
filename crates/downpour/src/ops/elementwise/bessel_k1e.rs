//! `BesselK1e`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BesselK1e(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double)
/// * gives `y`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn bessel_k1e(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("BesselK1e").input(x);
    ForOutput(node)
}
