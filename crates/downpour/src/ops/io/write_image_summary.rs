//! `WriteImageSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteImageSummary(writer, step, tag, tensor, bad_color) -> ()`.
///
/// * `writer`: resource
/// * `step`: int64
/// * `tag`: string
/// * `tensor`: `T` (uint8, double, float, half)
/// * `bad_color`: uint8
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_image_summary(
    writer: &Output,
    step: &Output,
    tag: &Output,
    tensor: &Output,
    bad_color: &Output,
) -> WriteImageSummary {
    let node = NodeBuilder::new("WriteImageSummary")
        .input(writer)
        .input(step)
        .input(tag)
        .input(tensor)
        .input(bad_color);
    WriteImageSummary(node)
}

/// A `WriteImageSummary` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct WriteImageSummary(NodeBuilder);

impl WriteImageSummary {
    /// The attribute `max_images`; `3` unless set.
    pub fn max_images(mut self, value: i64) -> WriteImageSummary {
        self.0.set("max_images", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> WriteImageSummary {
        WriteImageSummary(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
