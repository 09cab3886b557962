//! `ClipByValue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ClipByValue(t, clip_value_min, clip_value_max) -> (output)`.
///
/// * `t`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `clip_value_min`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `clip_value_max`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn clip_by_value(t: &Output, clip_value_min: &Output, clip_value_max: &Output) -> ForOutput {
    let node = NodeBuilder::new("ClipByValue").input(t).input(clip_value_min).input(clip_value_max);
    ForOutput(node)
}
