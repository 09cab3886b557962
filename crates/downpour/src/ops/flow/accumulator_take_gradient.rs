//! `AccumulatorTakeGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AccumulatorTakeGradient(handle, num_required) -> (average)`.
///
/// * `handle`: string, a reference
/// * `num_required`: int32
/// * `dtype`: attribute, type, one of float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64
/// * gives `average`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn accumulator_take_gradient(
    handle: &Output,
    num_required: &Output,
    dtype: DataType,
) -> ForOutput {
    let mut node = NodeBuilder::new("AccumulatorTakeGradient").input(handle).input(num_required);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
