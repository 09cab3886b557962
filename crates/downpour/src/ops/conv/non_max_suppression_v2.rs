//! `NonMaxSuppressionV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NonMaxSuppressionV2(boxes, scores, max_output_size, iou_threshold) -> (selected_indices)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T_threshold` (half, float)
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v2(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("NonMaxSuppressionV2")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold);
    ForOutput(node)
}
