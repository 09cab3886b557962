//! `Invert`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Invert(x) -> (y)`.
///
/// * `x`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
/// * gives `y`: `T` (int8, int16, int32, int64, uint8, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn invert(x: &Output) -> ForOutput {
    let node = NodeBuilder::new("Invert").input(x);
    ForOutput(node)
}
