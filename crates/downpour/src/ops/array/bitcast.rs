//! `Bitcast`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Bitcast(input) -> (output)`.
///
/// * `input`: `T` (bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32)
/// * `type`: attribute, type, one of bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32
/// * gives `output`: `type` (bfloat16, half, float, double, int64, int32, uint8, uint16, uint32, uint64, int8, int16, complex64, complex128, qint8, quint8, qint16, quint16, qint32)
///
/// Gradients do not flow through it.
pub fn bitcast(input: &Output, type_: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("Bitcast").input(input);
    node.set("type", type_.into());
    ForOutput(node)
}
