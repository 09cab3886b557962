//! `SegmentMin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SegmentMin(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_min(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMin").input(data).input(segment_ids);
    ForOutput(node)
}
