//! `ImageSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ImageSummary(tag, tensor) -> (summary)`.
///
/// * `tag`: string
/// * `tensor`: `T` (uint8, float, half, double)
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn image_summary(tag: &Output, tensor: &Output) -> ImageSummary {
    let node = NodeBuilder::new("ImageSummary").input(tag).input(tensor);
    ImageSummary(node)
}

/// A `ImageSummary` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ImageSummary(NodeBuilder);

impl ImageSummary {
    /// The attribute `max_images`; `3` unless set.
    pub fn max_images(mut self, value: i64) -> ImageSummary {
        self.0.set("max_images", value.into());
        self
    }

    /// The attribute `bad_color`; a uint8 tensor of shape `[4]` unless set.
    pub fn bad_color(mut self, value: &Tensor) -> ImageSummary {
        self.0.set("bad_color", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ImageSummary {
        ImageSummary(self.0.name(name))
    }

    /// Adds the node and gives `summary`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
