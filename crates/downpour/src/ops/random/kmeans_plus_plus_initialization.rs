//! `KmeansPlusPlusInitialization`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `KmeansPlusPlusInitialization(points, num_to_sample, seed, num_retries_per_sample) -> (samples)`.
///
/// * `points`: float
/// * `num_to_sample`: int64
/// * `seed`: int64
/// * `num_retries_per_sample`: int64
/// * gives `samples`: float
///
/// Has no gradient.
pub fn kmeans_plus_plus_initialization(
    points: &Output,
    num_to_sample: &Output,
    seed: &Output,
    num_retries_per_sample: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("KmeansPlusPlusInitialization")
        .input(points)
        .input(num_to_sample)
        .input(seed)
        .input(num_retries_per_sample);
    ForOutput(node)
}
