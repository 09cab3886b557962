//! `AccumulatorSetGlobalStep`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AccumulatorSetGlobalStep(handle, new_global_step) -> ()`.
///
/// * `handle`: string, a reference
/// * `new_global_step`: int64
///
/// Gradients do not flow through it.
pub fn accumulator_set_global_step(handle: &Output, new_global_step: &Output) -> ForOperation {
    let node = NodeBuilder::new("AccumulatorSetGlobalStep").input(handle).input(new_global_step);
    ForOperation(node)
}
