//! `ResizeBicubic`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeBicubic(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: float
///
/// Differentiable.
pub fn resize_bicubic(images: &Output, size: &Output) -> ResizeBicubic {
    let node = NodeBuilder::new("ResizeBicubic").input(images).input(size);
    ResizeBicubic(node)
}

/// A `ResizeBicubic` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBicubic(NodeBuilder);

impl ResizeBicubic {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBicubic {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBicubic {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBicubic {
        ResizeBicubic(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
