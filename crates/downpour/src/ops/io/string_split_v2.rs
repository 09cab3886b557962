//! `StringSplitV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringSplitV2(input, sep) -> (indices, values, shape)`.
///
/// * `input`: string
/// * `sep`: string
/// * gives `indices`: int64
/// * gives `values`: string
/// * gives `shape`: int64
///
/// Gradients do not flow through it.
pub fn string_split_v2(input: &Output, sep: &Output) -> StringSplitV2 {
    let node = NodeBuilder::new("StringSplitV2").input(input).input(sep);
    StringSplitV2(node)
}

/// A `StringSplitV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringSplitV2(NodeBuilder);

impl StringSplitV2 {
    /// The attribute `maxsplit`; `-1` unless set.
    pub fn maxsplit(mut self, value: i64) -> StringSplitV2 {
        self.0.set("maxsplit", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringSplitV2 {
        StringSplitV2(self.0.name(name))
    }

    /// Adds the node and gives (`indices`, `values`, `shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
