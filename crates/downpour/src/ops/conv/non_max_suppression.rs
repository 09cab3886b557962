//! `NonMaxSuppression`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NonMaxSuppression(boxes, scores, max_output_size) -> (selected_indices)`.
///
/// * `boxes`: float
/// * `scores`: float
/// * `max_output_size`: int32
/// * gives `selected_indices`: int32
///
/// Gradients do not flow through it.
pub fn non_max_suppression(
    boxes: &Output,
    scores: &Output,
    max_output_size: &Output,
) -> NonMaxSuppression {
    let node =
        NodeBuilder::new("NonMaxSuppression").input(boxes).input(scores).input(max_output_size);
    NonMaxSuppression(node)
}

/// A `NonMaxSuppression` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NonMaxSuppression(NodeBuilder);

impl NonMaxSuppression {
    /// The attribute `iou_threshold`; `0.5` unless set.
    pub fn iou_threshold(mut self, value: f32) -> NonMaxSuppression {
        self.0.set("iou_threshold", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NonMaxSuppression {
        NonMaxSuppression(self.0.name(name))
    }

    /// Adds the node and gives `selected_indices`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
