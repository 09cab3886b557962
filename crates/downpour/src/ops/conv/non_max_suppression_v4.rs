//! `NonMaxSuppressionV4`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NonMaxSuppressionV4(boxes, scores, max_output_size, iou_threshold, score_threshold) -> (selected_indices, valid_outputs)`.
///
/// * `boxes`: `T` (half, float)
/// * `scores`: `T` (half, float)
/// * `max_output_size`: int32
/// * `iou_threshold`: `T_threshold` (half, float)
/// * `score_threshold`: `T_threshold` (half, float)
/// * gives `selected_indices`: int32
/// * gives `valid_outputs`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression_v4(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
    iou_threshold: &Output,
    score_threshold: &Output,
) -> NonMaxSuppressionV4 {
    let node = NodeBuilder::new("NonMaxSuppressionV4")
        .input(boxes)
        .input(scores)
        .input(max_output_size)
        .input(iou_threshold)
        .input(score_threshold);
    NonMaxSuppressionV4(node)
}

/// A `NonMaxSuppressionV4` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonMaxSuppressionV4(NodeBuilder);

impl NonMaxSuppressionV4 {
    /// The attribute `pad_to_max_output_size`; `false` unless set.
    pub fn pad_to_max_output_size(mut self, value: bool) -> NonMaxSuppressionV4 {
        self.0.set("pad_to_max_output_size", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonMaxSuppressionV4 {
        NonMaxSuppressionV4(self.0.name(name))
    }

    /// Adds the node and gives (`selected_indices`, `valid_outputs`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
