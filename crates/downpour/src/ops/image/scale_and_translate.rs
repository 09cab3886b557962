//! `ScaleAndTranslate`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScaleAndTranslate(images, size, scale, translation) -> (resized_images)`.
///
/// * `images`: `T` (int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double)
/// * `size`: int32
/// * `scale`: float
/// * `translation`: float
/// * gives `resized_images`: float
///
/// Differentiable.
pub fn scale_and_translate(images: &Output, size: &Output, scale: &Output, translation: &Output) -> ScaleAndTranslate {
    let node = NodeBuilder::new("ScaleAndTranslate").input(images).input(size).input(scale).input(translation);
    ScaleAndTranslate(node)
}

/// A `ScaleAndTranslate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScaleAndTranslate(NodeBuilder);

impl ScaleAndTranslate {
    /// The attribute `kernel_type`; `"lanczos3"` unless set.
    pub fn kernel_type(mut self, value: &str) -> ScaleAndTranslate {
        self.0.set("kernel_type", text(value));
        self
    }

    /// The attribute `antialias`; `true` unless set.
    pub fn antialias(mut self, value: bool) -> ScaleAndTranslate {
        self.0.set("antialias", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScaleAndTranslate {
        ScaleAndTranslate(self.0.name(name))
    }

    /// Adds the node and gives `resized_images`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
