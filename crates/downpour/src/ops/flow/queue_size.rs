//! `QueueSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueSize(handle) -> (size)`.
///
/// * `handle`: string, a reference
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn queue_size(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueSize").input(handle);
    ForOutput(node)
}
