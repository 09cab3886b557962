//! `CropAndResize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CropAndResize(image, boxes, box_ind, crop_size) -> (crops)`.
///
/// * `image`: `T` (uint8, uint16, int8, int16, int32, int64, half, float, double)
/// * `boxes`: float
/// * `box_ind`: int32
/// * `crop_size`: int32
/// * gives `crops`: float
///
/// Differentiable.
pub fn crop_and_resize(
    image: &Output,
    boxes: &Output,
    box_ind: &Output,
    crop_size: &Output,
) -> CropAndResize {
    let node =
        NodeBuilder::new("CropAndResize").input(image).input(boxes).input(box_ind).input(crop_size);
    CropAndResize(node)
}

/// A `CropAndResize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CropAndResize(NodeBuilder);

impl CropAndResize {
    /// The attribute `method`; `"bilinear"` unless set.
    pub fn method(mut self, value: &str) -> CropAndResize {
        self.0.set("method", text(value));
        self
    }

    /// The attribute `extrapolation_value`; `0.0` unless set.
    pub fn extrapolation_value(mut self, value: f32) -> CropAndResize {
        self.0.set("extrapolation_value", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CropAndResize {
        CropAndResize(self.0.name(name))
    }

    /// Adds the node and gives `crops`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
