//! `AssignAddVariableOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AssignAddVariableOp(resource, value) -> ()`.
///
/// * `resource`: resource
/// * `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn assign_add_variable_op(resource: &Output, value: &Output) -> ForOperation {
    let node = NodeBuilder::new("AssignAddVariableOp").input(resource).input(value);
    ForOperation(node)
}
