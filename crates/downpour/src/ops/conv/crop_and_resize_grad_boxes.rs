//! `CropAndResizeGradBoxes`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CropAndResizeGradBoxes(grads, image, boxes, box_ind) -> (output)`.
///
/// * `grads`: float
/// * `image`: `T` (uint8, uint16, int8, int16, int32, int64, half, float, double)
/// * `boxes`: float
/// * `box_ind`: int32
/// * gives `output`: float
///
/// Has no gradient.
pub fn crop_and_resize_grad_boxes(
    grads: &Output,
    image: &Output,
    boxes: &Output,
    box_ind: &Output,
) -> CropAndResizeGradBoxes {
    let node = NodeBuilder::new("CropAndResizeGradBoxes")
        .input(grads)
        .input(image)
        .input(boxes)
        .input(box_ind);
    CropAndResizeGradBoxes(node)
}

/// A `CropAndResizeGradBoxes` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CropAndResizeGradBoxes(NodeBuilder);

impl CropAndResizeGradBoxes {
    /// The attribute `method`; `"bilinear"` unless set.
    pub fn method(mut self, value: &str) -> CropAndResizeGradBoxes {
        self.0.set("method", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CropAndResizeGradBoxes {
        CropAndResizeGradBoxes(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
