//! `CropAndResizeGradImage`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CropAndResizeGradImage(grads, boxes, box_ind, image_size) -> (output)`.
///
/// * `grads`: float
/// * `boxes`: float
/// * `box_ind`: int32
/// * `image_size`: int32
/// * `T`: attribute, type, one of float, half, double
/// * gives `output`: `T` (float, half, double)
///
/// Has no gradient.
pub fn crop_and_resize_grad_image(
    grads: &Output,
    boxes: &Output,
    box_ind: &Output,
    image_size: &Output,
    t: DataType,
) -> CropAndResizeGradImage {
    let mut node = NodeBuilder::new("CropAndResizeGradImage")
        .input(grads)
        .input(boxes)
        .input(box_ind)
        .input(image_size);
    node.set("T", t.into());
    CropAndResizeGradImage(node)
}

/// A `CropAndResizeGradImage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CropAndResizeGradImage(NodeBuilder);

impl CropAndResizeGradImage {
    /// The attribute `method`; `"bilinear"` unless set.
    pub fn method(mut self, value: &str) -> CropAndResizeGradImage {
        self.0.set("method", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CropAndResizeGradImage {
        CropAndResizeGradImage(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
