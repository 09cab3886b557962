//! `StringToNumber`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StringToNumber(string_tensor) -> (output)`.
///
/// * `string_tensor`: string
/// * gives `output`: `out_type` (float, double, int32, int64, uint32, uint64)
///
/// Gradients do not flow through it.
pub fn string_to_number(string_tensor: &Output) -> StringToNumber {
    let node = NodeBuilder::new("StringToNumber").input(string_tensor);
    StringToNumber(node)
}

/// A `StringToNumber` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StringToNumber(NodeBuilder);

impl StringToNumber {
    /// The attribute `out_type`; float unless set.
    pub fn out_type(mut self, value: DataType) -> StringToNumber {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StringToNumber {
        StringToNumber(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
