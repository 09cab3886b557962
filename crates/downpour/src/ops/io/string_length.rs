//! `StringLength`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringLength(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: int32
///
/// Gradients do not flow through it.
pub fn string_length(input: &Output) -> StringLength {
    let node = NodeBuilder::new("StringLength").input(input);
    StringLength(node)
}

/// A `StringLength` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringLength(NodeBuilder);

impl StringLength {
    /// The attribute `unit`; `"BYTE"` unless set.
    pub fn unit(mut self, value: &str) -> StringLength {
        self.0.set("unit", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringLength {
        StringLength(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
