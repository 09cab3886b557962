//! `ImageProjectiveTransformV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ImageProjectiveTransformV3(images, transforms, output_shape, fill_value) -> (transformed_images)`.
///
/// * `images`: `dtype` (uint8, int32, int64, half, bfloat16, float, double)
/// * `transforms`: float
/// * `output_shape`: int32
/// * `fill_value`: float
/// * `interpolation`: attribute, string
/// * gives `transformed_images`: `dtype` (uint8, int32, int64, half, bfloat16, float, double)
///
/// Differentiable.
pub fn image_projective_transform_v3(images: &Output, transforms: &Output, output_shape: &Output, fill_value: &Output, interpolation: &str) -> ImageProjectiveTransformV3 {
    let mut node = NodeBuilder::new("ImageProjectiveTransformV3").input(images).input(transforms).input(output_shape).input(fill_value);
    node.set("interpolation", text(interpolation));
    ImageProjectiveTransformV3(node)
}

/// A `ImageProjectiveTransformV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ImageProjectiveTransformV3(NodeBuilder);

impl ImageProjectiveTransformV3 {
    /// The attribute `fill_mode`; `"CONSTANT"` unless set.
    pub fn fill_mode(mut self, value: &str) -> ImageProjectiveTransformV3 {
        self.0.set("fill_mode", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ImageProjectiveTransformV3 {
        ImageProjectiveTransformV3(self.0.name(name))
    }

    /// Adds the node and gives `transformed_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
