//! `NoOp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `NoOp() -> ()`.
///
/// Gradients do not flow through it.
pub fn no_op(graph: &Graph) -> ForOperation {
    let node = NodeBuilder::in_graph(graph, "NoOp");
    ForOperation(node)
}
