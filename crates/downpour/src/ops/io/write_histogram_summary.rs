//! `WriteHistogramSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteHistogramSummary(writer, step, tag, values) -> ()`.
///
/// * `writer`: resource
/// * `step`: int64
/// * `tag`: string
/// * `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64, bool)
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_histogram_summary(
    writer: &Output,
    step: &Output,
    tag: &Output,
    values: &Output,
) -> ForOperation {
    let node = NodeBuilder::new("WriteHistogramSummary")
        .input(writer)
        .input(step)
        .input(tag)
        .input(values);
    ForOperation(node)
}
