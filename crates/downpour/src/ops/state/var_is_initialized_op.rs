//! `VarIsInitializedOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `VarIsInitializedOp(resource) -> (is_initialized)`.
///
/// * `resource`: resource
/// * gives `is_initialized`: bool
///
/// Gradients do not flow through it. Has state or effects.
pub fn var_is_initialized_op(resource: &Output) -> ForOutput {
    let node = NodeBuilder::new("VarIsInitializedOp").input(resource);
    ForOutput(node)
}
