//! `IgammaGradA`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IgammaGradA(a, x) -> (z)`.
///
/// * `a`: `T` (float, double)
/// * `x`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Has no gradient.
pub fn igamma_grad_a(a: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("IgammaGradA").input(a).input(x);
    ForOutput(node)
}
