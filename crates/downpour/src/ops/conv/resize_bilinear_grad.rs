//! `ResizeBilinearGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResizeBilinearGrad(grads, original_image) -> (output)`.
///
/// * `grads`: float
/// * `original_image`: `T` (float, bfloat16, half, double)
/// * gives `output`: `T` (float, bfloat16, half, double)
///
/// Gradients do not flow through it.
pub fn resize_bilinear_grad(grads: &Output, original_image: &Output) -> ResizeBilinearGrad {
    let node = NodeBuilder::new("ResizeBilinearGrad").input(grads).input(original_image);
    ResizeBilinearGrad(node)
}

/// A `ResizeBilinearGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResizeBilinearGrad(NodeBuilder);

impl ResizeBilinearGrad {
    /// The attribute `align_corners`; `false` unless set.
    pub fn align_corners(mut self, value: bool) -> ResizeBilinearGrad {
        self.0.set("align_corners", value.into());
        self
    }

    /// The attribute `half_pixel_centers`; `false` unless set.
    pub fn half_pixel_centers(mut self, value: bool) -> ResizeBilinearGrad {
        self.0.set("half_pixel_centers", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResizeBilinearGrad {
        ResizeBilinearGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
