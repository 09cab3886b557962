//! `StackCloseV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackCloseV2(handle) -> ()`.
///
/// * `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn stack_close_v2(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("StackCloseV2").input(handle);
    ForOperation(node)
}
