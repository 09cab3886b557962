//! `AssignSubVariableOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AssignSubVariableOp(resource, value) -> ()`.
///
/// * `resource`: resource
/// * `value`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn assign_sub_variable_op(resource: &Output, value: &Output) -> ForOperation {
    let node = NodeBuilder::new("AssignSubVariableOp").input(resource).input(value);
    ForOperation(node)
}
