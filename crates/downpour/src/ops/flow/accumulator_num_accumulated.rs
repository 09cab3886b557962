//! `AccumulatorNumAccumulated`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AccumulatorNumAccumulated(handle) -> (num_accumulated)`.
///
/// * `handle`: string, a reference
/// * gives `num_accumulated`: int32
///
/// Gradients do not flow through it.
pub fn accumulator_num_accumulated(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("AccumulatorNumAccumulated").input(handle);
    ForOutput(node)
}
