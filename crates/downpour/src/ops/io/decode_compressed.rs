//! `DecodeCompressed`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeCompressed(bytes) -> (output)`.
///
/// * `bytes`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn decode_compressed(bytes: &Output) -> DecodeCompressed {
    let node = NodeBuilder::new("DecodeCompressed").input(bytes);
    DecodeCompressed(node)
}

/// A `DecodeCompressed` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeCompressed(NodeBuilder);

impl DecodeCompressed {
    /// The attribute `compression_type`; `""` unless set.
    pub fn compression_type(mut self, value: &str) -> DecodeCompressed {
        self.0.set("compression_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeCompressed {
        DecodeCompressed(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
