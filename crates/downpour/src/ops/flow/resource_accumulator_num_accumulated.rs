//! `ResourceAccumulatorNumAccumulated`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceAccumulatorNumAccumulated(handle) -> (num_accumulated)`.
///
/// * `handle`: resource
/// * gives `num_accumulated`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_num_accumulated(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ResourceAccumulatorNumAccumulated").input(handle);
    ForOutput(node)
}
