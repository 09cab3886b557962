//! `SegmentMean`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SegmentMean(data, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn segment_mean(data: &Output, segment_ids: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentMean").input(data).input(segment_ids);
    ForOutput(node)
}
