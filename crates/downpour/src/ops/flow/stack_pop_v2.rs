//! `StackPopV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackPopV2(handle) -> (elem)`.
///
/// * `handle`: resource
/// * `elem_type`: attribute, type
/// * gives `elem`: `elem_type` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_pop_v2(handle: &Output, elem_type: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("StackPopV2").input(handle);
    node.set("elem_type", elem_type.into());
    ForOutput(node)
}
