//! `Size`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Size(input) -> (output)`.
///
/// * `input`: `T` (any type)
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it.
pub fn size(input: &Output) -> Size {
    let node = NodeBuilder::new("Size").input(input);
    Size(node)
}

/// A `Size` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Size(NodeBuilder);

impl Size {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> Size {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Size {
        Size(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
