//! `StatelessRandomUniformInt`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomUniformInt(shape, seed, minval, maxval) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `minval`: `dtype` (int32, int64)
/// * `maxval`: `dtype` (int32, int64)
/// * gives `output`: `dtype` (int32, int64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_int(
    shape: &Output,
    seed: &Output,
    minval: &Output,
    maxval: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomUniformInt")
        .input(shape)
        .input(seed)
        .input(minval)
        .input(maxval);
    ForOutput(node)
}
