//! `DummyMemoryCache`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DummyMemoryCache() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn dummy_memory_cache(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "DummyMemoryCache");
    ForOutput(node)
}
