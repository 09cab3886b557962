//! The part of a graph that one operation needs, as a message.

use std::collections::{HashMap, HashSet};

use downpour_tensor::{Bytes, Result, Status};
use downpour_wire::proto::{GraphDef, NodeDef};
use prost::Message;

/// The nodes `target` needs, in the graph's order: the same bytes from every worker, whatever else its graph
/// has.
pub(crate) fn subgraph(graph: &GraphDef, target: &str) -> Result<Bytes> {
    let nodes: HashMap<&str, &NodeDef> = graph.node.iter().map(|n| (n.name.as_str(), n)).collect();
    let mut needed = HashSet::new();
    let mut open = vec![target.to_string()];
    while let Some(name) = open.pop() {
        let node = nodes.get(name.as_str()).ok_or_else(|| {
            Status::internal(format!("the graph has no node '{name}', which '{target}' needs"))
        })?;
        if !needed.insert(node.name.as_str()) {
            continue;
        }
        for input in &node.input {
            let input = input.strip_prefix('^').unwrap_or(input);
            open.push(input.split(':').next().unwrap_or(input).to_string());
        }
    }
    let kept = graph.node.iter().filter(|node| needed.contains(node.name.as_str()));
    let kept = kept.cloned().map(|mut node| {
        // Where it stands is decided by who runs it.
        node.attr.remove("_class");
        node
    });
    let part = GraphDef {
        node: kept.collect(),
        versions: graph.versions.clone(),
        library: graph.library.clone(),
        ..GraphDef::default()
    };
    Ok(Bytes::from(part.encode_to_vec()))
}
