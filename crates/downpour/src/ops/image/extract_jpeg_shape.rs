//! `ExtractJpegShape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExtractJpegShape(contents) -> (image_shape)`.
///
/// * `contents`: string
/// * gives `image_shape`: `output_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn extract_jpeg_shape(contents: &Output) -> ExtractJpegShape {
    let node = NodeBuilder::new("ExtractJpegShape").input(contents);
    ExtractJpegShape(node)
}

/// A `ExtractJpegShape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExtractJpegShape(NodeBuilder);

impl ExtractJpegShape {
    /// The attribute `output_type`; int32 unless set.
    pub fn output_type(mut self, value: DataType) -> ExtractJpegShape {
        self.0.set("output_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExtractJpegShape {
        ExtractJpegShape(self.0.name(name))
    }

    /// Adds the node and gives `image_shape`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
