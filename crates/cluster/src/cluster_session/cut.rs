//! From a signature to a graph for each device.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use downpour_graph::passes::{Ends, prune};
use downpour_graph::{Node, NodeId, Participants, Port, export_graph, partition};
use downpour_tensor::Result;
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
        let Signature { feeds, fetches, targets } = signature;
        let Ends { feeds, fetches, targets } = Ends::find(&graph, feeds, fetches, targets)?;
        let subgraph = prune(&graph, &feeds, &fetches, &targets, self.registry.ops())?;
        // A fed value enters where the node it replaces would have run.
        let fed: HashMap<NodeId, &str> = subgraph
            .args
            .iter()
            .zip(&feeds)
            .map(|(arg, feed)| (*arg, graph.node(feed.node).name.as_str()))
            .collect();
        let place = |(id, node): (NodeId, &Node)| {
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
