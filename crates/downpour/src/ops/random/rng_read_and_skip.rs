//! `RngReadAndSkip`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RngReadAndSkip(resource, alg, delta) -> (value)`.
///
/// * `resource`: resource
/// * `alg`: int32
/// * `delta`: uint64
/// * gives `value`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn rng_read_and_skip(resource: &Output, alg: &Output, delta: &Output) -> ForOutput {
    let node = NodeBuilder::new("RngReadAndSkip").input(resource).input(alg).input(delta);
    ForOutput(node)
}
