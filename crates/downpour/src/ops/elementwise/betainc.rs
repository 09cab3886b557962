//! `Betainc`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Betainc(a, b, x) -> (z)`.
///
/// * `a`: `T` (float, double)
/// * `b`: `T` (float, double)
/// * `x`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Differentiable.
pub fn betainc(a: &Output, b: &Output, x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Betainc").input(a).input(b).input(x);
    ForOutput(node)
}
