//! `ReverseV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReverseV2(tensor, axis) -> (output)`.
///
/// * `tensor`: `T` (uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `output`: `T` (uint8, int8, uint16, int16, int32, uint32, int64, uint64, bool, bfloat16, half, float, double, complex64, complex128, string)
///
/// Differentiable.
pub fn reverse_v2(tensor: &Output, axis: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReverseV2").input(tensor).input(axis);
    ForOutput(node)
}
