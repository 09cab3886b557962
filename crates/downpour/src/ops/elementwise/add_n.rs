//! `AddN`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AddN(inputs) -> (sum)`.
///
/// * `inputs`: `N` values of `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant)
/// * gives `sum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, variant)
///
/// Differentiable.
pub fn add_n(inputs: &[Output]) -> ForOutput {
    let node = NodeBuilder::new("AddN").list(inputs);
    ForOutput(node)
}
