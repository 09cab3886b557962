//! Control edges that wait for nothing that matters.
//!
//! A client's gradients wait for each other in groups: without this pass the product that nobody uses
//! (the gradient of a model's input) is computed because some other gradient waits for it. A pure node
//! whose value nobody takes is bypassed: who waited for it waits for what it would have waited for.
//! So is a NoOp that does not save edges. Both keep order and deadness of everything that remains.

use std::collections::HashSet;

use super::is_pure;
use super::prune::Subgraph;
use crate::node::{Node, NodeId};

/// Removes what it can from nodes' control inputs; bypassed nodes are left for `sweep`.
/// `order` is a topological order.
pub fn simplify_dependencies(subgraph: &mut Subgraph, order: &[NodeId]) {
    let mut waits = Waits::of(subgraph);
    // Consumers first: a node that waited for a bypassed one may itself be bypassed later.
    for &id in order.iter().rev() {
        if waits.can_bypass(subgraph, id) {
            waits.bypass(subgraph, id);
        }
    }
    for id in subgraph.graph.ids() {
        let idle = |source: &NodeId| never_waits(subgraph.graph.node(*source));
        let drop: Vec<NodeId> =
            subgraph.graph.node(id).controls.iter().copied().filter(idle).collect();
        let node = subgraph.graph.node_mut(id);
        // A Merge runs with the first of its inputs: taking a value is not waiting for it.
        let data: Vec<NodeId> = match is_merge(node) {
            true => Vec::new(),
            false => node.inputs.iter().map(|end| end.node).collect(),
        };
        node.controls.retain(|source| !data.contains(source) && !drop.contains(source));
    }
}

/// A constant is there from the start and never dead.
fn never_waits(node: &Node) -> bool {
    node.op_name() == "Const" && node.controls.is_empty()
}

fn is_merge(node: &Node) -> bool {
    matches!(node.op_name(), "Merge" | "RefMerge")
}

/// Operations that compute nothing new but may fail, which is why somebody waits for them.
fn is_check(op: &str) -> bool {
    matches!(op, "CheckNumerics" | "CheckNumericsV2" | "EnsureShape" | "Assert")
}

struct Waits {
    /// Nodes with a control input from each node.
    waiting: Vec<HashSet<NodeId>>,
    /// How many inputs take each node's value.
    taken: Vec<usize>,
    pinned: Vec<bool>,
}

impl Waits {
    fn of(subgraph: &Subgraph) -> Waits {
        let graph = &subgraph.graph;
        let mut waits = Waits {
            waiting: vec![HashSet::new(); graph.len()],
            taken: vec![0; graph.len()],
            pinned: vec![false; graph.len()],
        };
        for (id, node) in graph.nodes() {
            node.inputs.iter().for_each(|end| waits.taken[end.node.index()] += 1);
            for source in &node.controls {
                waits.waiting[source.index()].insert(id);
            }
        }
        let kept = subgraph.fetches.iter().map(|end| &end.node).chain(&subgraph.targets);
        kept.chain(&subgraph.args).for_each(|id| waits.pinned[id.index()] = true);
        waits
    }

    fn can_bypass(&self, subgraph: &Subgraph, id: NodeId) -> bool {
        let node = subgraph.graph.node(id);
        let waiting = self.waiting[id.index()].len();
        if self.pinned[id.index()] || self.taken[id.index()] > 0 || waiting == 0 {
            return false;
        }
        if node.op_name() == "NoOp" {
            return node.controls.len() * waiting <= node.controls.len() + waiting;
        }
        // One output of a Switch is dead and the other not, and a receive may bring a dead value, which
        // a control edge cannot tell.
        let may_be_dead = |id: NodeId| {
            let op = subgraph.graph.node(id).op_name();
            op.contains("Switch") || matches!(op, "_Recv" | "_HostRecv")
        };
        is_pure(node)
            && !is_check(node.op_name())
            && !node.inputs.iter().any(|end| may_be_dead(end.node))
    }

    fn bypass(&mut self, subgraph: &mut Subgraph, id: NodeId) {
        let node = subgraph.graph.node(id);
        let mut sources: Vec<NodeId> =
            node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied()).collect();
        sources.sort_unstable();
        sources.dedup();
        for end in &node.inputs {
            self.taken[end.node.index()] -= 1;
        }
        for source in &sources {
            self.waiting[source.index()].remove(&id);
        }
        for waiter in std::mem::take(&mut self.waiting[id.index()]) {
            let controls = &mut subgraph.graph.node_mut(waiter).controls;
            controls.retain(|source| *source != id);
            for &source in &sources {
                if !controls.contains(&source) {
                    controls.push(source);
                    self.waiting[source.index()].insert(waiter);
                }
            }
        }
        let node = subgraph.graph.node_mut(id);
        node.inputs.clear();
        node.controls.clear();
    }
}
