//! `DecodeImage`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeImage(contents) -> (image)`.
///
/// * `contents`: string
/// * gives `image`: `dtype` (uint8, uint16, float)
///
/// Gradients do not flow through it.
pub fn decode_image(contents: &Output) -> DecodeImage {
    let node = NodeBuilder::new("DecodeImage").input(contents);
    DecodeImage(node)
}

/// A `DecodeImage` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeImage(NodeBuilder);

impl DecodeImage {
    /// The attribute `channels`; `0` unless set.
    pub fn channels(mut self, value: i64) -> DecodeImage {
        self.0.set("channels", value.into());
        self
    }

    /// The attribute `dtype`; uint8 unless set.
    pub fn dtype(mut self, value: DataType) -> DecodeImage {
        self.0.set("dtype", value.into());
        self
    }

    /// The attribute `expand_animations`; `true` unless set.
    pub fn expand_animations(mut self, value: bool) -> DecodeImage {
        self.0.set("expand_animations", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeImage {
        DecodeImage(self.0.name(name))
    }

    /// Adds the node and gives `image`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
