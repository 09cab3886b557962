//! `FakeQueue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FakeQueue(resource) -> (handle)`.
///
/// * `resource`: resource
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn fake_queue(resource: &Output) -> ForOutput {
    let node = NodeBuilder::new("FakeQueue").input(resource);
    ForOutput(node)
}
