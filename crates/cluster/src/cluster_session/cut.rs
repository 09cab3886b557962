//! From a signature to a graph for each device.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use downpour_graph::frames::topological_order;
use downpour_graph::passes::{Ends, Subgraph, prune, simplify_placed_dependencies, sweep};
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
        let mut subgraph = prune(&graph, &feeds, &fetches, &targets, self.registry.ops())?;
        let places_in = |subgraph: &Subgraph| -> Vec<usize> {
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
            subgraph.graph.nodes().map(place).collect()
        };
        let mut of_node = places_in(&subgraph);
        // Before the cut: a task cannot tell whether what it receives may be dead, and keeps waiting.
        if self.options.graph.dependencies {
            let order = topological_order(&subgraph.graph)?;
            simplify_placed_dependencies(&mut subgraph, &order, &of_node);
            subgraph = sweep(&subgraph)?;
            of_node = places_in(&subgraph);
        }
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
