//! `AssignVariableOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AssignVariableOp(resource, value) -> ()`.
///
/// * `resource`: resource
/// * `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn assign_variable_op(resource: &Output, value: &Output) -> AssignVariableOp {
    let node = NodeBuilder::new("AssignVariableOp").input(resource).input(value);
    AssignVariableOp(node)
}

/// A `AssignVariableOp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AssignVariableOp(NodeBuilder);

impl AssignVariableOp {
    /// The attribute `validate_shape`; `false` unless set.
    pub fn validate_shape(mut self, value: bool) -> AssignVariableOp {
        self.0.set("validate_shape", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AssignVariableOp {
        AssignVariableOp(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
