//! `BitwiseXor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BitwiseXor(x, y) -> (z)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `z`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn bitwise_xor(x: &Output, y: &Output) -> ForOutput {
    let node = NodeBuilder::new("BitwiseXor").input(x).input(y);
    ForOutput(node)
}
