//! `Reverse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Reverse(tensor, dims) -> (output)`.
///
/// * `tensor`: `T` (uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string)
/// * `dims`: bool
/// * gives `output`: `T` (uint8, int8, uint16, int16, uint32, int32, uint64, int64, bool, bfloat16, half, float, double, complex64, complex128, string)
///
/// Differentiable.
pub fn reverse(tensor: &Output, dims: &Output) -> ForOutput {
    let node = NodeBuilder::new("Reverse").input(tensor).input(dims);
    ForOutput(node)
}
