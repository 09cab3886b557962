//! `LinSpace`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LinSpace(start, stop, num) -> (output)`.
///
/// * `start`: `T` (bfloat16, half, float, double)
/// * `stop`: `T` (bfloat16, half, float, double)
/// * `num`: `Tidx` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Gradients do not flow through it.
pub fn lin_space(start: &Output, stop: &Output, num: &Output) -> ForOutput {
    let node = NodeBuilder::new("LinSpace").input(start).input(stop).input(num);
    ForOutput(node)
}
