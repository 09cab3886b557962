//! `Softmax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Softmax(logits) -> (softmax)`.
///
/// * `logits`: `T` (half, bfloat16, float, double)
/// * gives `softmax`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softmax(logits: &Output) -> ForOutput {
    let node = NodeBuilder::new("Softmax").input(logits);
    ForOutput(node)
}
