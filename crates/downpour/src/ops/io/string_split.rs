//! `StringSplit`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringSplit(input, delimiter) -> (indices, values, shape)`.
///
/// * `input`: string
/// * `delimiter`: string
/// * gives `indices`: int64
/// * gives `values`: string
/// * gives `shape`: int64
///
/// Gradients do not flow through it.
pub fn string_split(input: &Output, delimiter: &Output) -> StringSplit {
    let node = NodeBuilder::new("StringSplit").input(input).input(delimiter);
    StringSplit(node)
}

/// A `StringSplit` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringSplit(NodeBuilder);

impl StringSplit {
    /// The attribute `skip_empty`; `true` unless set.
    pub fn skip_empty(mut self, value: bool) -> StringSplit {
        self.0.set("skip_empty", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringSplit {
        StringSplit(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
