//! `LogSoftmax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LogSoftmax(logits) -> (logsoftmax)`.
///
/// * `logits`: `T` (half, bfloat16, float, double)
/// * gives `logsoftmax`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn log_softmax(logits: &Output) -> ForOutput {
    let node = NodeBuilder::new("LogSoftmax").input(logits);
    ForOutput(node)
}
