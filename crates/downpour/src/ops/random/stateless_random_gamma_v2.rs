//! `StatelessRandomGammaV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessRandomGammaV2(shape, seed, alpha) -> (output)`.
///
/// * `shape`: `T` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `alpha`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Differentiable.
pub fn stateless_random_gamma_v2(shape: &Output, seed: &Output, alpha: &Output) -> ForOutput {
    let node = NodeBuilder::new("StatelessRandomGammaV2").input(shape).input(seed).input(alpha);
    ForOutput(node)
}
