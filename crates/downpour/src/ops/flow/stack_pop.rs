//! `StackPop`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackPop(handle) -> (elem)`.
///
/// * `handle`: string, a reference
/// * `elem_type`: attribute, type
/// * gives `elem`: `elem_type` (any type)
///
/// Gradients do not flow through it.
pub fn stack_pop(handle: &Output, elem_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("StackPop").input(handle);
    node.set("elem_type", elem_type.into());
    ForOutput(node)
}
