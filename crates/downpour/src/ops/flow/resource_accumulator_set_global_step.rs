//! `ResourceAccumulatorSetGlobalStep`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceAccumulatorSetGlobalStep(handle, new_global_step) -> ()`.
///
/// * `handle`: resource
/// * `new_global_step`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_set_global_step(
    handle: &Output,
    new_global_step: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("ResourceAccumulatorSetGlobalStep").input(handle).input(new_global_step);
    ForOperation(node)
}
