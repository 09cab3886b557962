//! `ResizeBilinear`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeBilinear(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: float
///
/// Differentiable.
pub fn resize_bilinear(images: &Output, size: &Output) -> ResizeBilinear {
    let node = NodeBuilder::new("ResizeBilinear").input(images).input(size);
    ResizeBilinear(node)
}

/// A `ResizeBilinear` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBilinear(NodeBuilder);

impl ResizeBilinear {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBilinear {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBilinear {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBilinear {
        ResizeBilinear(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
