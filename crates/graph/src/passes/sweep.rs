//! Drops nodes that nothing fetched or targeted depends on.

use downpour_tensor::Result;

use super::prune::Subgraph;
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};

/// Keeps arguments and the ancestors of fetches and targets, in their order.
pub fn sweep(subgraph: &Subgraph) -> Result<Subgraph> {
    let graph = &subgraph.graph;
    let mut needed = vec![false; graph.len()];
    let mut stack: Vec<NodeId> = subgraph.fetches.iter().map(|e| e.node).collect();
    stack.extend(&subgraph.targets);
    while let Some(id) = stack.pop() {
        if !std::mem::replace(&mut needed[id.index()], true) {
            let node = graph.node(id);
            stack.extend(node.inputs.iter().map(|e| e.node).chain(node.controls.iter().copied()));
        }
    }
    subgraph.args.iter().for_each(|id| needed[id.index()] = true);

    let mut moved = vec![NodeId(0); graph.len()];
    let mut kept = Graph::new();
    kept.versions = graph.versions.clone();
    for (id, node) in graph.nodes().filter(|(id, _)| needed[id.index()]) {
        moved[id.index()] = kept.push(node.clone())?;
    }
    let place = |end: Endpoint| Endpoint { node: moved[end.node.index()], port: end.port };
    for id in kept.ids() {
        let node = kept.node_mut(id);
        node.inputs.iter_mut().for_each(|end| *end = place(*end));
        node.controls.iter_mut().for_each(|control| *control = moved[control.index()]);
    }
    Ok(Subgraph {
        graph: kept,
        args: subgraph.args.iter().map(|id| moved[id.index()]).collect(),
        fetches: subgraph.fetches.iter().map(|&end| place(end)).collect(),
        targets: subgraph.targets.iter().map(|id| moved[id.index()]).collect(),
    })
}
