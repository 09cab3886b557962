//! `BroadcastTo`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BroadcastTo(input, shape) -> (output)`.
///
/// * `input`: `T` (any type)
/// * `shape`: `Tidx` (int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn broadcast_to(input: &Output, shape: &Output) -> ForOutput {
    let node = NodeBuilder::new("BroadcastTo").input(input).input(shape);
    ForOutput(node)
}
