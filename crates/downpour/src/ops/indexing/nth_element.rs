//! `NthElement`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NthElement(input, n) -> (values)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `n`: int32
/// * gives `values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn nth_element(input: &Output, n: &Output) -> NthElement {
    let node = NodeBuilder::new("NthElement").input(input).input(n);
    NthElement(node)
}

/// A `NthElement` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct NthElement(NodeBuilder);

impl NthElement {
    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> NthElement {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> NthElement {
        NthElement(self.0.name(name))
    }

    /// Adds the node and gives `values`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
