//! `Minimum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Minimum(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
/// * `y`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
/// * gives `z`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64)
///
/// Differentiable.
pub fn minimum(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Minimum").input(x).input(y);
    ForOutput(node)
}
