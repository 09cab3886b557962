//! `RightShift`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RightShift(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn right_shift(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("RightShift").input(x).input(y);
    ForOutput(node)
}
