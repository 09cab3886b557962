//! `StatefulUniformInt`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatefulUniformInt(resource, algorithm, shape, minval, maxval) -> (output)`.
///
/// * `resource`: resource
/// * `algorithm`: int64
/// * `shape`: `shape_dtype` (any type)
/// * `minval`: `dtype` (any type)
/// * `maxval`: `dtype` (any type)
/// * gives `output`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stateful_uniform_int(
    resource: &Output,
    algorithm: &Output,
    shape: &Output,
    minval: &Output,
    maxval: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatefulUniformInt")
        .input(resource)
        .input(algorithm)
        .input(shape)
        .input(minval)
        .input(maxval);
    ForOutput(node)
}
