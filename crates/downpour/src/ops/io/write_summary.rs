//! `WriteSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteSummary(writer, step, tensor, tag, summary_metadata) -> ()`.
///
/// * `writer`: resource
/// * `step`: int64
/// * `tensor`: `T` (any type)
/// * `tag`: string
/// * `summary_metadata`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_summary(
    writer: &Output,
    step: &Output,
    tensor: &Output,
    tag: &Output,
    summary_metadata: &Output,
) -> ForOperation {
    let node = NodeBuilder::new("WriteSummary")
        .input(writer)
        .input(step)
        .input(tensor)
        .input(tag)
        .input(summary_metadata);
    ForOperation(node)
}
