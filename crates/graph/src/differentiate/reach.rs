//! Which nodes lie between the `x`s and the `y`s, and how many gradients each waits for.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Differentiate, is_trainable};
use crate::graph::Graph;
use crate::node::NodeId;

/// The nodes on a path of trainable values from an `x` to a `y`.
pub(super) struct Between {
    pub nodes: Vec<NodeId>,
    /// How many edges lead from each node to another one between.
    pub pending: HashMap<NodeId, usize>,
    /// The nodes of the `y`s that an `x` leads to, each once.
    pub reached_ys: Vec<NodeId>,
    /// Nodes of `x`s with no other `x` before them: nothing behind them is of interest.
    pub stops: HashSet<NodeId>,
}

impl Between {
    pub fn find(graph: &Graph, wanted: &Differentiate) -> Between {
        let from: Vec<NodeId> = wanted.xs.iter().map(|end| end.node).collect();
        let mut reached = reachable(graph, &from);
        let mut reached_ys = Vec::new();
        for y in &wanted.ys {
            if reached.contains(&y.node) && !reached_ys.contains(&y.node) {
                reached_ys.push(y.node);
            }
        }
        let mut nodes = Vec::new();
        let mut queue: VecDeque<NodeId> = reached_ys.iter().copied().collect();
        while let Some(id) = queue.pop_front() {
            if reached.remove(&id) {
                nodes.push(id);
                queue.extend(graph.node(id).inputs.iter().map(|end| end.node));
            }
        }
        let inside: HashSet<NodeId> = nodes.iter().copied().collect();
        let mut pending = HashMap::new();
        for &id in &nodes {
            for end in &graph.node(id).inputs {
                if inside.contains(&end.node) {
                    *pending.entry(end.node).or_insert(0) += 1;
                }
            }
        }
        let depends =
            |id: NodeId| graph.node(id).inputs.iter().any(|end| pending.contains_key(&end.node));
        let stops = from.into_iter().filter(|id| !depends(*id)).collect();
        Between { nodes, pending, reached_ys, stops }
    }
}

/// Everything that trainable values lead to from some nodes, those included.
fn reachable(graph: &Graph, from: &[NodeId]) -> HashSet<NodeId> {
    let mut consumers: Vec<Vec<NodeId>> = vec![Vec::new(); graph.len()];
    for (id, node) in graph.nodes() {
        for end in &node.inputs {
            if is_trainable(graph.edge_type(*end).dtype) {
                consumers[end.node.index()].push(id);
            }
        }
    }
    let mut reached = HashSet::new();
    let mut queue = from.to_vec();
    while let Some(id) = queue.pop() {
        if reached.insert(id) {
            queue.extend(&consumers[id.index()]);
        }
    }
    reached
}
