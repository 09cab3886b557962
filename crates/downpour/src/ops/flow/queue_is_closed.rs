//! `QueueIsClosed`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueIsClosed(handle) -> (is_closed)`.
///
/// * `handle`: string, a reference
/// * gives `is_closed`: bool
///
/// Gradients do not flow through it.
pub fn queue_is_closed(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueIsClosed").input(handle);
    ForOutput(node)
}
