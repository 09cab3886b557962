//! Graphs as messages.

use downpour_tensor::Result;
use downpour_wire::proto::{GraphDef, NodeDef, VersionDef};

use crate::attr_proto::attrs_to_proto;
use crate::graph::Graph;

/// The message of a graph (without its function library).
pub fn export_graph(graph: &Graph) -> Result<GraphDef> {
    export_graph_from(graph, 0)
}

/// The message of what a graph has gained after its first `first` nodes.
pub fn export_graph_from(graph: &Graph, first: usize) -> Result<GraphDef> {
    let mut nodes = Vec::with_capacity(graph.len().saturating_sub(first));
    for (_, node) in graph.nodes().skip(first) {
        let data = node.inputs.iter().map(|&end| match end.port {
            0 => graph.node(end.node).name.clone(),
            _ => graph.endpoint_name(end),
        });
        let control = node.controls.iter().map(|&id| format!("^{}", graph.node(id).name));
        nodes.push(NodeDef {
            name: node.name.clone(),
            op: node.op_name().to_string(),
            input: data.chain(control).collect(),
            device: node.device.clone(),
            attr: attrs_to_proto(&node.attrs)?,
            ..NodeDef::default()
        });
    }
    let versions = VersionDef {
        producer: graph.versions.producer,
        min_consumer: graph.versions.min_consumer,
        ..VersionDef::default()
    };
    Ok(GraphDef { node: nodes, versions: Some(versions), ..GraphDef::default() })
}
