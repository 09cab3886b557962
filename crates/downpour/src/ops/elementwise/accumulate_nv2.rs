//! `AccumulateNV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AccumulateNV2(inputs) -> (sum)`.
///
/// * `inputs`: `N` values of `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `shape`: attribute, shape
/// * gives `sum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn accumulate_nv2(inputs: &[Output], shape: &PartialShape) -> ForOutput {
    let mut node = NodeBuilder::new("AccumulateNV2").list(inputs);
    node.set("shape", shape.clone().into());
    ForOutput(node)
}
