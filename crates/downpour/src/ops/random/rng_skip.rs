//! `RngSkip`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RngSkip(resource, algorithm, delta) -> ()`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `delta`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn rng_skip(resource: &Output, algorithm: &Output, delta: &Output) -> ForOperation {
    let node = NodeBuilder::new("RngSkip").input(resource).input(algorithm).input(delta);
    ForOperation(node)
}
