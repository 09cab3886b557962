//! `NonMaxSuppressionWithOverlaps`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NonMaxSuppressionWithOverlaps(overlaps, scores, max_output_size, overlap_threshold, score_threshold) -> (selected_indices)`.
///
/// * `overlaps`: float
/// * `scores`: float
/// * `max_output_size`: int32
/// * `overlap_threshold`: float
/// * `score_threshold`: float
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_with_overlaps(
    overlaps: &Output,
    scores: &Output,
    max_output_size: &Output,
    overlap_threshold: &Output,
    score_threshold: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("NonMaxSuppressionWithOverlaps")
        .input(overlaps)
        .input(scores)
        .input(max_output_size)
        .input(overlap_threshold)
        .input(score_threshold);
    ForOutput(node)
}
