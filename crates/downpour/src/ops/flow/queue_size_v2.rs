//! `QueueSizeV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueSizeV2(handle) -> (size)`.
///
/// * `handle`: resource
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_size_v2(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("QueueSizeV2").input(handle);
    ForOutput(node)
}
