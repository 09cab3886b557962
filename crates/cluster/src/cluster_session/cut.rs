//! From a signature to a graph for each device.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use downpour_graph::passes::prune;
use downpour_graph::{Endpoint, NodeId, Participants, Port, export_graph, partition};
use downpour_tensor::{Result, Status};
use downpour_wire::proto::GraphDef;

use super::{ClusterSession, Signature};

/// The parts of a step.
pub struct Cut {
    /// Each with its device.
    pub graphs: Vec<(usize, GraphDef)>,
    pub feeds: Vec<Port>,
    pub fetches: Vec<Port>,
}

impl ClusterSession {
    /// Prunes and partitions.
    pub(super) fn cut(&self, signature: &Signature) -> Result<Cut> {
        let (graph, functions, places) = {
            let state = self.state.lock();
            (state.graph.clone(), state.functions.clone(), state.places.clone())
        };
        let find = |name: &String| graph.find_endpoint(name);
        let feeds: Vec<Endpoint> = signature.feeds.iter().map(find).collect::<Result<_>>()?;
        let fetches: Vec<Endpoint> = signature.fetches.iter().map(find).collect::<Result<_>>()?;
        let targets: Vec<NodeId> = signature
            .targets
            .iter()
            .map(|name| {
                let node = name.split(':').next().unwrap_or(name);
                graph.find(node).ok_or_else(|| {
                    Status::not_found(format!("target node '{name}' is not in the graph"))
                })
            })
            .collect::<Result<_>>()?;
        let subgraph = prune(&graph, &feeds, &fetches, &targets, self.registry.ops())?;
        // A fed value enters where the node it replaces would have run.
        let fed: HashMap<NodeId, &str> = subgraph
            .args
            .iter()
            .zip(&feeds)
            .map(|(arg, feed)| (*arg, graph.node(feed.node).name.as_str()))
            .collect();
        let place = |(id, node): (NodeId, &downpour_graph::Node)| {
            let name = fed.get(&id).copied().unwrap_or(&node.name);
            places.get(name).copied().unwrap_or(self.default)
        };
        let of_node: Vec<usize> = subgraph.graph.nodes().map(place).collect();
        let participants = Participants {
            devices: &self.devices,
            master: self.default,
            serial: self.next_cut.fetch_add(1, Ordering::Relaxed),
        };
        let split = partition(&subgraph, &of_node, &participants, self.registry.ops())?;
        let mut graphs = Vec::new();
        for part in split.partitions {
            let mut graph = export_graph(&part.graph)?;
            graph.library = Some(functions.clone());
            graphs.push((part.device, graph));
        }
        Ok(Cut { graphs, feeds: split.feeds, fetches: split.fetches })
    }
}
