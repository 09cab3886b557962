//! `DecodeBmp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeBmp(contents) -> (image)`.
///
/// * `contents`: string
/// * gives `image`: uint8
///
/// Gradients do not flow through it.
pub fn decode_bmp(contents: &Output) -> DecodeBmp {
    let node = NodeBuilder::new("DecodeBmp").input(contents);
    DecodeBmp(node)
}

/// A `DecodeBmp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeBmp(NodeBuilder);

impl DecodeBmp {
    /// The attribute `channels`; `0` unless set.
    pub fn channels(mut self, value: i64) -> DecodeBmp {
        self.0.set("channels", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeBmp {
        DecodeBmp(self.0.name(name))
    }

    /// Adds the node and gives `image`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
