//! `EmptyTensorMap`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EmptyTensorMap() -> (handle)`.
///
/// * gives `handle`: variant
///
/// Gradients do not flow through it.
pub fn empty_tensor_map(graph: &Graph) -> ForOutput {
    let node = NodeBuilder::in_graph(graph, "EmptyTensorMap");
    ForOutput(node)
}
