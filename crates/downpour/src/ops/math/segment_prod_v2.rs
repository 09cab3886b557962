//! `SegmentProdV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SegmentProdV2(data, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `segment_ids`: `Tindices` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn segment_prod_v2(data: &Output, segment_ids: &Output, num_segments: &Output) -> ForOutput {
    let node = NodeBuilder::new("SegmentProdV2").input(data).input(segment_ids).input(num_segments);
    ForOutput(node)
}
