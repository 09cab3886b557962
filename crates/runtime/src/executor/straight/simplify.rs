//! What a straight loop need not do in every iteration.
//!
//! A constant inside a loop waits for the loop's pivot, so that it is dead in the last round. When every
//! consumer has another input that is dead whenever the pivot is, the constant may as well always be
//! there. An Identity that nobody waits for only moves a value: its consumers can take it from its source.

use std::collections::{HashMap, HashSet};

use downpour_graph::frames::is_merge;
use downpour_graph::{Endpoint, Graph, Node, NodeId};

use super::super::plan::carries_reference;

pub(super) struct Simplified {
    /// Constants that are there in every iteration.
    pub hoisted: HashSet<NodeId>,
    /// Where the value of a node that only moves it comes from.
    moved: HashMap<NodeId, Endpoint>,
}

impl Simplified {
    /// Looks at the nodes of one loop, given in topological order.
    pub fn of(graph: &Graph, members: &[NodeId]) -> Simplified {
        let mut consumers: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for &id in members {
            for end in &graph.node(id).inputs {
                consumers.entry(end.node).or_default().push(id);
            }
        }
        let hoisted: HashSet<NodeId> = members
            .iter()
            .copied()
            .filter(|&id| {
                let users = consumers.get(&id).map(Vec::as_slice).unwrap_or_default();
                graph.node(id).op_name() == "Const" && can_hoist(graph, id, users)
            })
            .collect();
        let waited: HashSet<NodeId> = members
            .iter()
            .filter(|id| !hoisted.contains(id))
            .flat_map(|id| graph.node(*id).controls.iter().copied())
            .collect();
        let mut moved = HashMap::new();
        for &id in members {
            let node = graph.node(id);
            if is_move(node) && node.controls.is_empty() && !waited.contains(&id) {
                let plain = !carries_reference(graph, node.inputs[0]);
                if plain {
                    moved.insert(id, node.inputs[0]);
                }
            }
        }
        Simplified { hoisted, moved }
    }

    pub fn is_moved(&self, id: NodeId) -> bool {
        self.moved.contains_key(&id)
    }

    /// Where a value really comes from.
    pub fn source(&self, mut end: Endpoint) -> Endpoint {
        while let Some(&earlier) = self.moved.get(&end.node) {
            end = earlier;
        }
        end
    }
}

fn is_move(node: &Node) -> bool {
    matches!(node.op_name(), "Identity" | "LoopCond") && node.inputs.len() == 1
}

fn can_hoist(graph: &Graph, id: NodeId, users: &[NodeId]) -> bool {
    let [control] = graph.node(id).controls[..] else { return false };
    let Some(pivot) = switch_behind(graph, control.into()) else { return false };
    !users.is_empty()
        && users.iter().all(|&user| {
            let node = graph.node(user);
            let mut others = node.inputs.iter().filter(|end| end.node != id);
            !is_merge(node.op_name()) && others.any(|end| dies_with(graph, *end, pivot, DEPTH))
        })
}

/// How far back to look for what makes a value dead.
const DEPTH: u32 = 16;

/// A branch: the predicate of a Switch and the side taken.
type Branch = (Endpoint, u32);

/// The Switch whose output `end` is, moves left out.
fn switch_behind(graph: &Graph, mut end: Endpoint) -> Option<Branch> {
    loop {
        let node = graph.node(end.node);
        match node.op_name() {
            "Switch" => return Some((predicate(graph, node.inputs[1]), end.port)),
            _ if is_move(node) => end = node.inputs[0],
            _ => return None,
        }
    }
}

fn predicate(graph: &Graph, mut end: Endpoint) -> Endpoint {
    while is_move(graph.node(end.node)) {
        end = graph.node(end.node).inputs[0];
    }
    end
}

/// True when `end` is dead whenever the branch is not taken.
fn dies_with(graph: &Graph, end: Endpoint, branch: Branch, depth: u32) -> bool {
    let node = graph.node(end.node);
    if switch_behind(graph, end) == Some(branch) {
        return true;
    }
    depth > 0
        && !is_merge(node.op_name())
        && !node.op_name().ends_with("NextIteration")
        && node.inputs.iter().any(|input| dies_with(graph, *input, branch, depth - 1))
}
