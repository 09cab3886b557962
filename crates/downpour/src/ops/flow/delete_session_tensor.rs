//! `DeleteSessionTensor`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeleteSessionTensor(handle) -> ()`.
///
/// * `handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn delete_session_tensor(handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeleteSessionTensor").input(handle);
    ForOperation(node)
}
