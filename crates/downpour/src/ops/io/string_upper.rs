//! `StringUpper`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringUpper(input) -> (output)`.
///
/// * `input`: string
/// * gives `output`: string
///
/// Gradients do not flow through it.
pub fn string_upper(input: &Output) -> StringUpper {
    let node = NodeBuilder::new("StringUpper").input(input);
    StringUpper(node)
}

/// A `StringUpper` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringUpper(NodeBuilder);

impl StringUpper {
    /// The attribute `encoding`; `""` unless set.
    pub fn encoding(mut self, value: &str) -> StringUpper {
        self.0.set("encoding", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringUpper {
        StringUpper(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
