//! `VariableShape`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `VariableShape(input) -> (output)`.
///
/// * `input`: resource
/// * gives `output`: `out_type` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn variable_shape(input: &Output) -> VariableShape {
    let node = NodeBuilder::new("VariableShape").input(input);
    VariableShape(node)
}

/// A `VariableShape` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VariableShape(NodeBuilder);

impl VariableShape {
    /// The attribute `out_type`; int32 unless set.
    pub fn out_type(mut self, value: DataType) -> VariableShape {
        self.0.set("out_type", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> VariableShape {
        VariableShape(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
