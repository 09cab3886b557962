//! What cannot be differentiated yet is refused before anything is added.

use std::collections::HashSet;

use downpour_tensor::{Result, Status};

use super::reach::Between;
use crate::graph::Graph;
use crate::node::NodeId;

const LOOP: [&str; 7] =
    ["Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration", "LoopCond"];

/// Loops and functions between the `x`s and the `y`s.
pub(super) fn unsupported(graph: &Graph, between: &Between) -> Result<()> {
    for &id in &between.nodes {
        let node = graph.node(id);
        if LOOP.contains(&node.op_name()) {
            return Err(Status::unimplemented(format!(
                "node '{}' ({}) belongs to the loop '{}', and loops cannot be differentiated yet; \
                 unroll the loop, or differentiate with TensorFlow's client",
                node.name,
                node.op_name(),
                frame_of(graph, id).unwrap_or_else(|| "?".to_string())
            )));
        }
        let calls = node.attrs.0.values().any(|v| matches!(v, crate::AttrValue::Func(_)));
        if calls && matches!(node.op.gradient, crate::GradientRule::Missing) {
            return Err(Status::unimplemented(format!(
                "node '{}' ({}) calls a function, and such calls cannot be differentiated yet; \
                 inline it, or differentiate with TensorFlow's client",
                node.name,
                node.op_name()
            )));
        }
    }
    Ok(())
}

/// The name of the loop a node belongs to: that of the nearest Enter before it.
fn frame_of(graph: &Graph, id: NodeId) -> Option<String> {
    let mut seen = HashSet::new();
    let mut queue = vec![id];
    while let Some(id) = queue.pop() {
        let node = graph.node(id);
        if let Ok(name) = node.string("frame_name") {
            return Some(name);
        }
        queue.extend(node.inputs.iter().map(|end| end.node).filter(|id| seen.insert(*id)));
    }
    None
}
