//! `ImageProjectiveTransformV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ImageProjectiveTransformV2(images, transforms, output_shape) -> (transformed_images)`.
///
/// * `images`: `dtype` (uint8, int32, int64, half, bfloat16, float, double)
/// * `transforms`: float
/// * `output_shape`: int32
/// * `interpolation`: attribute, string
/// * gives `transformed_images`: `dtype` (uint8, int32, int64, half, bfloat16, float, double)
///
/// Differentiable.
pub fn image_projective_transform_v2(images: &Output, transforms: &Output, output_shape: &Output, interpolation: &str) -> ImageProjectiveTransformV2 {
    let mut node = NodeBuilder::new("ImageProjectiveTransformV2").input(images).input(transforms).input(output_shape);
    node.set("interpolation", text(interpolation));
    ImageProjectiveTransformV2(node)
}

/// A `ImageProjectiveTransformV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ImageProjectiveTransformV2(NodeBuilder);

impl ImageProjectiveTransformV2 {
    /// The attribute `fill_mode`; `"CONSTANT"` unless set.
    pub fn fill_mode(mut self, value: &str) -> ImageProjectiveTransformV2 {
        self.0.set("fill_mode", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ImageProjectiveTransformV2 {
        ImageProjectiveTransformV2(self.0.name(name))
    }

    /// Adds the node and gives `transformed_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
