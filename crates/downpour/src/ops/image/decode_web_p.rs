//! `DecodeWebP`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeWebP(contents) -> (image)`.
///
/// * `contents`: string
/// * gives `image`: `dtype` (uint8)
///
/// Gradients do not flow through it.
pub fn decode_web_p(contents: &Output) -> DecodeWebP {
    let node = NodeBuilder::new("DecodeWebP").input(contents);
    DecodeWebP(node)
}

/// A `DecodeWebP` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeWebP(NodeBuilder);

impl DecodeWebP {
    /// The attribute `channels`; `0` unless set.
    pub fn channels(mut self, value: i64) -> DecodeWebP {
        self.0.set("channels", value.into());
        self
    }

    /// The attribute `dtype`; uint8 unless set.
    pub fn dtype(mut self, value: DataType) -> DecodeWebP {
        self.0.set("dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeWebP {
        DecodeWebP(self.0.name(name))
    }

    /// Adds the node and gives `image`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
