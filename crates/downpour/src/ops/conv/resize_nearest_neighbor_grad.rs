//! `ResizeNearestNeighborGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeNearestNeighborGrad(grads, size) -> (output)`.
///
/// * `grads`: `T` (uint8, int8, int32, half, float, double, bfloat16)
/// * `size`: int32
/// * gives `output`: `T` (uint8, int8, int32, half, float, double, bfloat16)
///
/// Has no gradient.
pub fn resize_nearest_neighbor_grad(grads: &Output, size: &Output) -> ResizeNearestNeighborGrad {
    let node = NodeBuilder::new("ResizeNearestNeighborGrad").input(grads).input(size);
    ResizeNearestNeighborGrad(node)
}

/// A `ResizeNearestNeighborGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeNearestNeighborGrad(NodeBuilder);

impl ResizeNearestNeighborGrad {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeNearestNeighborGrad {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeNearestNeighborGrad {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeNearestNeighborGrad {
        ResizeNearestNeighborGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
