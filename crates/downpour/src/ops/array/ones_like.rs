//! `OnesLike`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OnesLike(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, uint8, int16, uint16, int32, uint32, int64, uint64, complex64, complex128, bool)
///
/// Gradients do not flow through it.
pub fn ones_like(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("OnesLike").input(x);
    ForOutput(node)
}
