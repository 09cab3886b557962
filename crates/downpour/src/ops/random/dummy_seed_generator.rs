//! `DummySeedGenerator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DummySeedGenerator() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn dummy_seed_generator(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "DummySeedGenerator");
    ForOutput(node)
}
