//! `AddV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AddV2(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant)
/// * `y`: `T` (bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128, string, variant)
///
/// Differentiable.
pub fn add_v2(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("AddV2").input(x).input(y);
    ForOutput(node)
}
