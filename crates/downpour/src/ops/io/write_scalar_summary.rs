//! `WriteScalarSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteScalarSummary(writer, step, tag, value) -> ()`.
///
/// * `writer`: resource
/// * `step`: int64
/// * `tag`: string
/// * `value`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_scalar_summary(
    writer: &Output,
    step: &Output,
    tag: &Output,
    value: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("WriteScalarSummary").input(writer).input(step).input(tag).input(value);
    ForOperation(node)
}
