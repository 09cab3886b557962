//! Common subexpressions: nodes that compute the same from the same become one.

use std::collections::HashMap;

use super::is_pure;
use super::prune::Subgraph;
use crate::attr::AttrValue;
use crate::node::{Endpoint, Node, NodeId};

/// Larger constants are not compared: the graph seldom repeats them, and looking costs.
const MAX_CONSTANT: usize = 1 << 10;

/// Redirects consumers of repeated nodes to the first; the repeats are left for `sweep`.
/// `order` is a topological order, so that inputs are settled before their consumers.
pub fn dedupe(subgraph: &mut Subgraph, order: &[NodeId]) {
    let mut first: HashMap<String, NodeId> = HashMap::new();
    let mut replaced: HashMap<NodeId, NodeId> = HashMap::new();
    for &id in order {
        let node = subgraph.graph.node_mut(id);
        redirect(node, &replaced);
        if !is_pure(node) || has_large_constant(node) {
            continue;
        }
        match first.entry(key(node)) {
            std::collections::hash_map::Entry::Occupied(entry) => {
                replaced.insert(id, *entry.get());
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(id);
            }
        }
    }
    // Loops' back edges come from nodes later in the order.
    for id in subgraph.graph.ids() {
        redirect(subgraph.graph.node_mut(id), &replaced);
    }
    for end in &mut subgraph.fetches {
        end.node = replaced.get(&end.node).copied().unwrap_or(end.node);
    }
    for target in &mut subgraph.targets {
        *target = replaced.get(target).copied().unwrap_or(*target);
    }
}

fn redirect(node: &mut Node, replaced: &HashMap<NodeId, NodeId>) {
    for Endpoint { node: source, .. } in &mut node.inputs {
        *source = replaced.get(source).copied().unwrap_or(*source);
    }
    for control in &mut node.controls {
        *control = replaced.get(control).copied().unwrap_or(*control);
    }
}

fn has_large_constant(node: &Node) -> bool {
    node.attrs.0.values().any(|v| matches!(v, AttrValue::Tensor(t) if t.byte_len() > MAX_CONSTANT))
}

fn key(node: &Node) -> String {
    let mut controls = node.controls.clone();
    controls.sort_unstable();
    let mut text = format!("{} {} {:?} {:?}", node.op_name(), node.device, node.inputs, controls);
    // Attributes that begin with an underscore (colocation, source locations) do not change results.
    for (name, value) in node.attrs.0.iter().filter(|(name, _)| !name.starts_with('_')) {
        text.push_str(&format!(" {name}="));
        match value {
            AttrValue::Tensor(t) => match (t.bytes(), t.strings()) {
                (Some(bytes), _) => {
                    text.push_str(&format!("{} {} {bytes:?}", t.dtype(), t.shape()))
                }
                (None, Ok(strings)) => text.push_str(&format!("{} {strings:?}", t.shape())),
                // Handles and variants: never equal to another node's.
                (None, Err(_)) => text.push_str(&node.name),
            },
            AttrValue::Float(f) => text.push_str(&f.to_bits().to_string()),
            other => text.push_str(&format!("{other:?}")),
        }
    }
    text
}
