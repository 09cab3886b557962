//! `Sub`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Sub(x, y) -> (z)`.
///
/// * `x`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64)
/// * `y`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64)
/// * gives `z`: `T` (bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128, uint32, uint64)
///
/// Differentiable.
pub fn sub(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("Sub").input(x).input(y);
    ForOutput(node)
}
