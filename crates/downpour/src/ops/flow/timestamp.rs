//! `Timestamp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Timestamp() -> (ts)`.
///
/// * gives `ts`: double
///
/// Gradients do not flow through it. Has state or effects.
pub fn timestamp(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "Timestamp");
    ForOutput(node)
}
