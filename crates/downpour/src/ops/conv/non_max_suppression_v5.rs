//! `NonMaxSuppressionV5`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NonMaxSuppressionV5(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma) -> (selected_indices, selected_scores, valid_outputs)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T` (half, float)
/// * `score_threshold`: `T` (half, float)
/// * `soft_nms_sigma`: `T` (half, float)
/// * gives `selected_indices`: int32
/// * gives `selected_scores`: `T` (half, float)
/// * gives `valid_outputs`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v5(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
    score_threshold: &Output,
    soft_nms_sigma: &Output,
) -> NonMaxSuppressionV5 {
    let node = NodeBuilder::new("NonMaxSuppressionV5")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold)
        .input(score_threshold)
        .input(soft_nms_sigma);
    NonMaxSuppressionV5(node)
}

/// A `NonMaxSuppressionV5` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonMaxSuppressionV5(NodeBuilder);

impl NonMaxSuppressionV5 {
    /// The attribute `pad_to_max_output_size`; `false` unless set.
    pub fn pad_to_max_output_size(mut self, value: bool) -> NonMaxSuppressionV5 {
        self.0.set("pad_to_max_output_size", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonMaxSuppressionV5 {
        NonMaxSuppressionV5(self.0.name(name))
    }

    /// Adds the node and gives (`selected_indices`, `selected_scores`, `valid_outputs`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
