//! `TensorSummaryV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TensorSummaryV2(tag, tensor, serialized_summary_metadata) -> (summary)`.
///
/// * `tag`: string
/// * `tensor`: `T` (any type)
/// * `serialized_summary_metadata`: string
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn tensor_summary_v2(
    tag: &Output,
    tensor: &Output,
    serialized_summary_metadata: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("TensorSummaryV2")
        .input(tag)
        .input(tensor)
        .input(serialized_summary_metadata);
    ForOutput(node)
}
