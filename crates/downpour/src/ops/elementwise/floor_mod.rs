//! `FloorMod`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FloorMod(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64, bfloat16, half, float, double)
///
/// Differentiable.
pub fn floor_mod(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("FloorMod").input(x).input(y);
    ForOutput(node)
}
