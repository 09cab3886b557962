//! `GreaterEqual`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GreaterEqual(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn greater_equal(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("GreaterEqual").input(x).input(y);
    ForOutput(node)
}
