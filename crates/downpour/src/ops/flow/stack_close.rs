//! `StackClose`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StackClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn stack_close(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("StackClose").input(handle);
    ForOperation(node)
}
