//! `ResizeBicubicGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeBicubicGrad(grads, original_image) -> (output)`.
///
/// * `grads`: float
/// * `original_image`: `T` (float, double)
/// * gives `output`: `T` (float, double)
///
/// Has no gradient.
pub fn resize_bicubic_grad(grads: &Output, original_image: &Output) -> ResizeBicubicGrad {
    let node = NodeBuilder::new("ResizeBicubicGrad").input(grads).input(original_image);
    ResizeBicubicGrad(node)
}

/// A `ResizeBicubicGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBicubicGrad(NodeBuilder);

impl ResizeBicubicGrad {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBicubicGrad {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBicubicGrad {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBicubicGrad {
        ResizeBicubicGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
