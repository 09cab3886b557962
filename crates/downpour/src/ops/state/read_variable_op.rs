//! `ReadVariableOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReadVariableOp(resource) -> (value)`.
///
/// * `resource`: resource
/// * `dtype`: attribute, type
/// * gives `value`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn read_variable_op(resource: &Output, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ReadVariableOp").input(resource);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
