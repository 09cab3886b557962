//! `StringLower`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringLower(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_lower(input: &Output) -> StringLower {
    let node = NodeBuilder::new("StringLower").input(input);
    StringLower(node)
}

/// A `StringLower` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringLower(NodeBuilder);

impl StringLower {
    /// The attribute `encoding`; `""` unless set.
    pub fn encoding(mut self, value: &str) -> StringLower {
        self.0.set("encoding", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringLower {
        StringLower(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
