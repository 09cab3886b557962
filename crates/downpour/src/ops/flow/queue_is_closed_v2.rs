//! `QueueIsClosedV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueIsClosedV2(handle) -> (is_closed)`.
///
/// * `handle`: resource
/// * gives `is_closed`: bool
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_is_closed_v2(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueIsClosedV2").input(handle);
    ForOutput(node)
}
