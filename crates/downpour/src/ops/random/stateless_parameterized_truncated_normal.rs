//! `StatelessParameterizedTruncatedNormal`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatelessParameterizedTruncatedNormal(shape, seed, means, stddevs, minvals, maxvals) -> (output)`.
///
/// * `shape`: `S` (int32, int64)
/// * `seed`: `Tseed` (int32, int64)
/// * `means`: `dtype` (half, float, double)
/// * `stddevs`: `dtype` (half, float, double)
/// * `minvals`: `dtype` (half, float, double)
/// * `maxvals`: `dtype` (half, float, double)
/// * gives `output`: `dtype` (half, float, double)
///
/// Differentiable.
pub fn stateless_parameterized_truncated_normal(
    shape: &Output,
    seed: &Output,
    means: &Output,
    stddevs: &Output,
    minvals: &Output,
    maxvals: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("StatelessParameterizedTruncatedNormal")
        .input(shape)
        .input(seed)
        .input(means)
        .input(stddevs)
        .input(minvals)
        .input(maxvals);
    ForOutput(node)
}
