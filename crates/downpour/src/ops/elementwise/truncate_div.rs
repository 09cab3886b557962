//! `TruncateDiv`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TruncateDiv(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, uint64, int64, complex64, complex128)
///
/// Gradients do not flow through it.
pub fn truncate_div(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("TruncateDiv").input(x).input(y);
    ForOutput(node)
}
