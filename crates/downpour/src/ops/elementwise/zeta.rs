//! `Zeta`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Zeta(x, q) -> (z)`.
///
/// * `x`: `T` (float, double)
/// * `q`: `T` (float, double)
/// * gives `z`: `T` (float, double)
///
/// Differentiable.
pub fn zeta(x: &Output, q: &Output) -> ForOutput {
    let node = NodeBuilder::new("Zeta").input(x).input(q);
    ForOutput(node)
}
