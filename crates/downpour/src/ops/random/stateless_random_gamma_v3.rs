//! `StatelessRandomGammaV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomGammaV3(shape, key, counter, alg, alpha) -> (output)`.
///
/// * `shape`: `shape_dtype` (int32, int64)
/// * `key`: uint64
/// * `counter`: uint64
/// * `alg`: int32
/// * `alpha`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Differentiable.
pub fn stateless_random_gamma_v3(
    shape: &Output,
    key: &Output,
    counter: &Output,
    alg: &Output,
    alpha: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomGammaV3")
        .input(shape)
        .input(key)
        .input(counter)
        .input(alg)
        .input(alpha);
    ForOutput(node)
}
