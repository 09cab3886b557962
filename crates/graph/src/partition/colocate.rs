//! Control flow nodes run where the value is that they move.
//!
//! Nodes that only steer values are cheap, and across devices some of them have no meaning: what an Enter
//! or a NextIteration gives exists in one iteration only, while whoever receives from another device
//! does so in every iteration. So a Switch and an Exit go where their data comes from, an Enter and a
//! NextIteration where it goes to, whatever device was asked for; TensorFlow does the same.

use crate::frames::{Frames, Kind};
use crate::graph::Graph;
use crate::node::{Node, NodeId};

/// The place of every node, given the places asked for and a topological order.
pub(super) fn colocate(
    graph: &Graph,
    frames: &Frames,
    order: &[NodeId],
    places: &[usize],
) -> Vec<usize> {
    let mut places = places.to_vec();
    for &id in order {
        let node = graph.node(id);
        if follows_source(node, frames.kinds[id.index()])
            && let Some(source) = node.inputs.first()
            // A loop's constant is on every device that needs it.
            && !is_constant(frames, source.node)
        {
            places[id.index()] = places[source.node.index()];
        }
    }
    let mut consumer: Vec<Option<NodeId>> = vec![None; graph.len()];
    for (id, node) in graph.nodes() {
        for end in &node.inputs {
            consumer[end.node.index()].get_or_insert(id);
        }
    }
    // From the last to the first: an Enter may lead to the Enter of an inner loop. The back edges of
    // loops lead to Merges, which stay where they are.
    for &id in order.iter().rev() {
        if follows_consumer(graph.node(id))
            && let Some(consumer) = consumer[id.index()]
        {
            places[id.index()] = places[consumer.index()];
        }
    }
    places
}

fn follows_source(node: &Node, kind: Kind) -> bool {
    kind == Kind::Exit || matches!(node.op_name(), "Switch" | "RefSwitch" | "_SwitchN")
}

/// Those that move references stay beside the variable.
fn follows_consumer(node: &Node) -> bool {
    matches!(node.op_name(), "Enter" | "NextIteration")
}

/// True for a value that is the same in all iterations, which each device can enter by itself.
pub(super) fn is_constant(frames: &Frames, id: NodeId) -> bool {
    matches!(frames.kinds[id.index()], Kind::Enter { constant: true, .. })
}
