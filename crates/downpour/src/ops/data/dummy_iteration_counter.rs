//! `DummyIterationCounter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DummyIterationCounter() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn dummy_iteration_counter(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "DummyIterationCounter");
    ForOutput(node)
}
