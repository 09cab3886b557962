//! `Range`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Range(start, limit, delta) -> (output)`.
///
/// * `start`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
/// * `limit`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
/// * `delta`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
/// * gives `output`: `Tidx` (bfloat16, half, float, double, int8, int16, int32, int64, uint16, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn range(start: &Output, limit: &Output, delta: &Output) -> ForOutput {
    let node = NodeBuilder::new("Range").input(start).input(limit).input(delta);
    ForOutput(node)
}
