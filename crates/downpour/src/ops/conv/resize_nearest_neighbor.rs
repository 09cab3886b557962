//! `ResizeNearestNeighbor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeNearestNeighbor(images, size) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `resized_images`: `T` (int8, uint8, int16, uint16, int32, int64, half, float, double, bfloat16)
///
/// Differentiable.
pub fn resize_nearest_neighbor(images: &Output, size: &Output) -> ResizeNearestNeighbor {
    let node = NodeBuilder::new("ResizeNearestNeighbor").input(images).input(size);
    ResizeNearestNeighbor(node)
}

/// A `ResizeNearestNeighbor` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeNearestNeighbor(NodeBuilder);

impl ResizeNearestNeighbor {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeNearestNeighbor {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeNearestNeighbor {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeNearestNeighbor {
        ResizeNearestNeighbor(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
