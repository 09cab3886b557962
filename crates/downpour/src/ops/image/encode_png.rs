//! `EncodePng`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EncodePng(image) -> (contents)`.
///
/// * `image`: `T` (uint8, uint16)
/// * gives `contents`: string
///
/// Gradients do not flow through it.
pub fn encode_png(image: &Output) -> EncodePng {
    let node = NodeBuilder::new("EncodePng").input(image);
    EncodePng(node)
}

/// A `EncodePng` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EncodePng(NodeBuilder);

impl EncodePng {
    /// The attribute `compression`; `-1` unless set.
    pub fn compression(mut self, value: i64) -> EncodePng {
        self.0.set("compression", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EncodePng {
        EncodePng(self.0.name(name))
    }

    /// Adds the node and gives `contents`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
