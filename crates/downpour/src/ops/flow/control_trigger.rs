//! `ControlTrigger`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ControlTrigger() -> ()`.
///
/// Gradients do not flow through it.
pub fn control_trigger(graph: &Graph) -> ForOperation {
    let node = NodeBuilder::in_graph(graph, "ControlTrigger");
    ForOperation(node)
}
