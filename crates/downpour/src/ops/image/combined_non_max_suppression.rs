//! `CombinedNonMaxSuppression`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CombinedNonMaxSuppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold) -> (nmsed_boxes, nmsed_scores, nmsed_classes, valid_detections)`.
///
/// * `boxes`: float
/// * `scores`: float
/// * `max_output_size_per_class`: int32
/// * `max_total_size`: int32
/// * `iou_threshold`: float
/// * `score_threshold`: float
/// * gives `nmsed_boxes`: float
/// * gives `nmsed_scores`: float
/// * gives `nmsed_classes`: float
/// * gives `valid_detections`: int32
///
/// Gradients do not flow through it.
pub fn combined_non_max_suppression(boxes: &Output, scores: &Output, max_output_size_per_class: &Output, max_total_size: &Output, iou_threshold: &Output, score_threshold: &Output) -> CombinedNonMaxSuppression {
    let node = NodeBuilder::new("CombinedNonMaxSuppression").input(boxes).input(scores).input(max_output_size_per_class).input(max_total_size).input(iou_threshold).input(score_threshold);
    CombinedNonMaxSuppression(node)
}

/// The values of a `CombinedNonMaxSuppression`.
pub struct CombinedNonMaxSuppressionValues {
    /// `nmsed_boxes`.
    pub nmsed_boxes: Output,
    /// `nmsed_scores`.
    pub nmsed_scores: Output,
    /// `nmsed_classes`.
    pub nmsed_classes: Output,
    /// `valid_detections`.
    pub valid_detections: Output,
}

/// A `CombinedNonMaxSuppression` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CombinedNonMaxSuppression(NodeBuilder);

impl CombinedNonMaxSuppression {
    /// The attribute `pad_per_class`; `false` unless set.
    pub fn pad_per_class(mut self, value: bool) -> CombinedNonMaxSuppression {
        self.0.set("pad_per_class", value.into());
        self
    }

    /// The attribute `clip_boxes`; `true` unless set.
    pub fn clip_boxes(mut self, value: bool) -> CombinedNonMaxSuppression {
        self.0.set("clip_boxes", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CombinedNonMaxSuppression {
        CombinedNonMaxSuppression(self.0.name(name))
    }

    /// Adds the node and gives (`nmsed_boxes`, `nmsed_scores`, `nmsed_classes`, `valid_detections`).
    pub fn build(self) -> Result<CombinedNonMaxSuppressionValues> {
        let operation = self.0.operation()?;
        Ok(CombinedNonMaxSuppressionValues { nmsed_boxes: operation.output(0)?, nmsed_scores: operation.output(1)?, nmsed_classes: operation.output(2)?, valid_detections: operation.output(3)? })
    }
}
