//! `EncodeBase64`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EncodeBase64(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn encode_base64(input: &Output) -> EncodeBase64 {
    let node = NodeBuilder::new("EncodeBase64").input(input);
    EncodeBase64(node)
}

/// A `EncodeBase64` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EncodeBase64(NodeBuilder);

impl EncodeBase64 {
    /// The attribute `pad`; `false` unless set.
    pub fn pad(mut self, value: bool) -> EncodeBase64 {
        self.0.set("pad", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EncodeBase64 {
        EncodeBase64(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
