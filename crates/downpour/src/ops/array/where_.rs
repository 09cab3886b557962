//! `Where`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Where(input) -> (index)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64, bool)
/// * gives `index`: int64
///
/// Gradients do not flow through it.
pub fn where_(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("Where").input(input);
    ForOutput(node)
}
