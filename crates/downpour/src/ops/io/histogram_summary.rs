//! `HistogramSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `HistogramSummary(tag, values) -> (summary)`.
///
/// * `tag`: string
/// * `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn histogram_summary(tag: &Output, values: &Output) -> ForOutput {
    let node = NodeBuilder::new("HistogramSummary").input(tag).input(values);
    ForOutput(node)
}
