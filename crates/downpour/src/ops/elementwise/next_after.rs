//! `NextAfter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NextAfter(x1, x2) -> (output)`.
///
/// * `x1`: `T` (double, float)
/// * `x2`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn next_after(x1: &Output, x2: &Output) -> ForOutput {
    let node = NodeBuilder::new("NextAfter").input(x1).input(x2);
    ForOutput(node)
}
