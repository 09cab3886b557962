//! Control edges that wait for nothing that matters.
//!
//! A client's gradients wait for each other in groups: without this pass the product that nobody uses
//! (the gradient of a model's input) is computed because some other gradient waits for it. A pure node
//! whose value nobody takes is bypassed: who waited for it waits for what it would have waited for.
//! So is a NoOp that does not save edges. Both keep order and deadness of everything that remains.

use std::collections::HashSet;

use super::is_pure;
use super::prune::Subgraph;
use crate::graph::Graph;
use crate::node::{Node, NodeId};

/// Removes what it can from nodes' control inputs; bypassed nodes are left for `sweep`.
/// `order` is a topological order.
pub fn simplify_dependencies(subgraph: &mut Subgraph, order: &[NodeId]) {
    simplify_placed_dependencies(subgraph, order, &vec![0; subgraph.graph.len()]);
}

/// The same before a graph is cut, where `places` has the device of every node: nothing is bypassed
/// that would make more edges cross from one device to another.
pub fn simplify_placed_dependencies(subgraph: &mut Subgraph, order: &[NodeId], places: &[usize]) {
    let mut waits = Waits::of(subgraph);
    // Consumers first: a node that waited for a bypassed one may itself be bypassed later.
    for &id in order.iter().rev() {
        if waits.can_bypass(subgraph, id) && !waits.adds_crossings(subgraph, id, places) {
            waits.bypass(subgraph, id);
        }
    }
    for id in subgraph.graph.ids() {
        let needed = needed_controls(&subgraph.graph, id);
        subgraph.graph.node_mut(id).controls = needed;
    }
}

/// A node's control inputs without those that its other inputs wait for themselves.
fn needed_controls(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    let node = graph.node(id);
    let mut needed: Vec<NodeId> =
        node.controls.iter().copied().filter(|source| !never_waits(graph.node(*source))).collect();
    // A group of thousands has few that the others wait for, and looking costs.
    let mut i = if needed.len() > NEARBY { needed.len() } else { 0 };
    while i < needed.len() {
        let source = needed[i];
        // A Merge runs with the first of its inputs: taking a value is not waiting for it.
        let data = node.inputs.iter().map(|end| end.node).filter(|_| !is_merge(node));
        let others: Vec<NodeId> =
            data.chain(needed.iter().copied().filter(|other| *other != source)).collect();
        if waits_for(graph, others, source) {
            needed.remove(i);
        } else {
            i += 1;
        }
    }
    needed
}

/// How many nodes are looked at to find that somebody waits for a node anyway.
const NEARBY: usize = 24;

/// True if one of `nodes` is the source or waits for it, in the same iteration and not far away.
fn waits_for(graph: &Graph, nodes: Vec<NodeId>, source: NodeId) -> bool {
    const BOUNDARY: [&str; 8] = [
        "Merge",
        "RefMerge",
        "Enter",
        "RefEnter",
        "Exit",
        "RefExit",
        "NextIteration",
        "RefNextIteration",
    ];
    let mut seen = nodes;
    let mut next = 0;
    while next < seen.len().min(NEARBY) {
        if seen[next] == source {
            return true;
        }
        let node = graph.node(seen[next]);
        if !BOUNDARY.contains(&node.op_name()) {
            for other in sources_of(node) {
                if seen.len() < NEARBY && !seen.contains(&other) {
                    seen.push(other);
                }
            }
        }
        next += 1;
    }
    false
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

/// Everything a node takes a value from or waits for, once.
fn sources_of(node: &Node) -> Vec<NodeId> {
    let mut sources: Vec<NodeId> =
        node.inputs.iter().map(|end| end.node).chain(node.controls.iter().copied()).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
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

    /// True when more edges would leave their device without the node than with it.
    fn adds_crossings(&self, subgraph: &Subgraph, id: NodeId, places: &[usize]) -> bool {
        let place = |id: NodeId| places[id.index()];
        let sources = sources_of(subgraph.graph.node(id));
        let waiting = &self.waiting[id.index()];
        let around = sources.iter().chain(waiting).filter(|other| place(**other) != place(id));
        let before = around.count();
        let elsewhere = |source: NodeId| move |waiter: &&NodeId| place(**waiter) != place(source);
        let after: usize =
            sources.iter().map(|source| waiting.iter().filter(elsewhere(*source)).count()).sum();
        after > before
    }

    fn bypass(&mut self, subgraph: &mut Subgraph, id: NodeId) {
        let node = subgraph.graph.node(id);
        let sources = sources_of(node);
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

#[cfg(test)]
mod tests;
