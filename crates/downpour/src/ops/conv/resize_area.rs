//! `ResizeArea`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeArea(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: float
///
/// Has no gradient.
pub fn resize_area(images: &Output, size: &Output) -> ResizeArea {
    let node = NodeBuilder::new("ResizeArea").input(images).input(size);
    ResizeArea(node)
}

/// A `ResizeArea` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeArea(NodeBuilder);

impl ResizeArea {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeArea {
        self.0.set("align_corners", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeArea {
        ResizeArea(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
