//! `ScalarSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScalarSummary(tags, values) -> (summary)`.
///
/// * `tags`: string
/// * `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn scalar_summary(tags: &Output, values: &Output) -> ForOutput {
    let node = NodeBuilder::new("ScalarSummary").input(tags).input(values);
    ForOutput(node)
}
