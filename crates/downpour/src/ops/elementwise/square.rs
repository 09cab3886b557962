//! `Square`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Square(x) -> (y)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * gives `y`: `T` (bfloat16, half, float, double, int8, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
///
/// Differentiable.
pub fn square(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Square").input(x);
    ForOutput(node)
}
