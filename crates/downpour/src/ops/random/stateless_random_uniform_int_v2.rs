//! `StatelessRandomUniformIntV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomUniformIntV2(shape, key, counter, alg, minval, maxval) -> (output)`.
///
/// * `shape`: `Tshape` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * `minval`: `dtype` (int32, int64, uint32, uint64)
/// * `maxval`: `dtype` (int32, int64, uint32, uint64)
/// * gives `output`: `dtype` (int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn stateless_random_uniform_int_v2(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
    minval: &Output,
    maxval: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomUniformIntV2")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg)
        .input(minval)
        .input(maxval);
    ForOutput(node)
}
