//! `L2Loss`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `L2Loss(t) -> (output)`.
///
/// * `t`: `T` (half, bfloat16, float, double)
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn l2_loss(t: &Output) -> ForOutput {
    let node = NodeBuilder::new("L2Loss").input(t);
    ForOutput(node)
}
