//! Who uses a node, counted once for the passes that merge nodes.

use super::prune::Subgraph;
use crate::node::NodeId;

/// Uses of every node of a subgraph.
pub(super) struct Uses {
    consumers: Vec<Vec<NodeId>>,
    /// Fetched, targeted, an argument, or waited for by a control edge: must stay visible.
    pinned: Vec<bool>,
}

impl Uses {
    pub fn of(subgraph: &Subgraph) -> Uses {
        let graph = &subgraph.graph;
        let mut consumers = vec![Vec::new(); graph.len()];
        let mut pinned = vec![false; graph.len()];
        for (id, node) in graph.nodes() {
            for end in &node.inputs {
                let list: &mut Vec<NodeId> = &mut consumers[end.node.index()];
                if !list.contains(&id) {
                    list.push(id);
                }
            }
            node.controls.iter().for_each(|c| pinned[c.index()] = true);
        }
        subgraph.fetches.iter().for_each(|e| pinned[e.node.index()] = true);
        subgraph.targets.iter().chain(&subgraph.args).for_each(|id| pinned[id.index()] = true);
        Uses { consumers, pinned }
    }

    /// True when only nodes that `inside` accepts see this node's value.
    pub fn only_by(&self, id: NodeId, inside: impl Fn(NodeId) -> bool) -> bool {
        !self.pinned[id.index()] && self.consumers[id.index()].iter().all(|c| inside(*c))
    }
}
