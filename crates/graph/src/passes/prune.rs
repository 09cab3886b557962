//! Keeps what a step needs: the ancestors of its fetches and targets, with fed values as arguments.

use std::collections::HashMap;

use downpour_tensor::{Result, Status};

use crate::attr::Attrs;
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::registry::OpRegistry;

/// The part of a graph that one kind of step runs. Argument i is the node `args[i]` (operation `_Arg`).
#[derive(Clone, Debug, Default)]
pub struct Subgraph {
    pub graph: Graph,
    pub args: Vec<NodeId>,
    pub fetches: Vec<Endpoint>,
    pub targets: Vec<NodeId>,
}

/// Copies the needed nodes into a graph of their own. Fed endpoints become `_Arg` nodes; control
/// edges that leave a fed placeholder leave the argument instead.
pub fn prune(
    graph: &Graph,
    feeds: &[Endpoint],
    fetches: &[Endpoint],
    targets: &[NodeId],
    registry: &OpRegistry,
) -> Result<Subgraph> {
    let mut pruner = Pruner::new(graph, feeds, registry)?;
    let roots = fetches.iter().map(|e| e.node).chain(targets.iter().copied());
    let needed = pruner.needed(fetches, roots);
    pruner.copy_needed(&needed)?;
    pruner.connect()?;
    let fetches = fetches.iter().map(|&end| pruner.map(end)).collect::<Result<_>>()?;
    let targets = targets.iter().filter_map(|id| pruner.copies.get(id).copied()).collect();
    Ok(Subgraph { graph: pruner.out, args: pruner.args, fetches, targets })
}

struct Pruner<'a> {
    graph: &'a Graph,
    out: Graph,
    args: Vec<NodeId>,
    feeds: HashMap<Endpoint, NodeId>,
    copies: HashMap<NodeId, NodeId>,
}

impl<'a> Pruner<'a> {
    fn new(graph: &'a Graph, feeds: &[Endpoint], registry: &OpRegistry) -> Result<Pruner<'a>> {
        let spec = registry.get("_Arg").cloned().ok_or_else(|| {
            Status::failed_precondition("steps need the operation _Arg, which is not registered")
        })?;
        let mut pruner = Pruner {
            graph,
            out: Graph::new(),
            args: Vec::new(),
            feeds: HashMap::new(),
            copies: HashMap::new(),
        };
        for (index, &end) in feeds.iter().enumerate() {
            let mut ty = graph.edge_type(end);
            // What is fed is a value; a consumer that needs a reference is refused when compiled.
            ty.is_ref = false;
            let id = pruner.out.push(Node {
                name: format!("_arg_{index}_{}_{}", graph.node(end.node).name, end.port),
                op: spec.clone(),
                device: graph.node(end.node).device.clone(),
                attrs: Attrs::new().with("T", ty.dtype).with("index", index as i64),
                inputs: Vec::new(),
                controls: Vec::new(),
                input_types: Vec::new(),
                output_types: vec![ty],
            })?;
            pruner.args.push(id);
            if pruner.feeds.insert(end, id).is_some() {
                return Err(Status::invalid_argument(format!(
                    "{} is fed more than once",
                    graph.endpoint_name(end)
                )));
            }
        }
        Ok(pruner)
    }

    /// A fed placeholder needs not run at all: whoever waits for it waits for the argument.
    fn replaced(&self, id: NodeId) -> Option<NodeId> {
        let is_placeholder =
            matches!(self.graph.node(id).op_name(), "Placeholder" | "PlaceholderV2");
        self.feeds.get(&Endpoint::from(id)).copied().filter(|_| is_placeholder)
    }

    fn needed(&self, fetches: &[Endpoint], roots: impl Iterator<Item = NodeId>) -> Vec<bool> {
        let fed_fetches: Vec<NodeId> =
            fetches.iter().filter(|e| self.feeds.contains_key(e)).map(|e| e.node).collect();
        let mut needed = vec![false; self.graph.len()];
        let mut stack: Vec<NodeId> =
            roots.filter(|id| self.replaced(*id).is_none() && !fed_fetches.contains(id)).collect();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut needed[id.index()], true) {
                continue;
            }
            let node = self.graph.node(id);
            let data = node.inputs.iter().filter(|e| !self.feeds.contains_key(e)).map(|e| e.node);
            let control = node.controls.iter().copied().filter(|c| self.replaced(*c).is_none());
            stack.extend(data.chain(control).filter(|n| !needed[n.index()]));
        }
        needed
    }

    fn copy_needed(&mut self, needed: &[bool]) -> Result<()> {
        for (id, node) in self.graph.nodes() {
            if needed[id.index()] {
                let copy = self.out.push(node.clone())?;
                self.copies.insert(id, copy);
            }
        }
        Ok(())
    }

    fn connect(&mut self) -> Result<()> {
        let copies: Vec<(NodeId, NodeId)> = self.copies.iter().map(|(&a, &b)| (a, b)).collect();
        for (original, copy) in copies {
            let node = self.graph.node(original);
            let inputs =
                node.inputs.iter().map(|&end| self.map(end)).collect::<Result<Vec<_>>>()?;
            let mut controls = Vec::with_capacity(node.controls.len());
            for &control in &node.controls {
                let mapped = self.replaced(control).or_else(|| self.copies.get(&control).copied());
                controls.push(mapped.ok_or_else(|| Status::internal("a control input was lost"))?);
            }
            let node = self.out.node_mut(copy);
            node.inputs = inputs;
            node.controls = controls;
        }
        Ok(())
    }

    fn map(&self, end: Endpoint) -> Result<Endpoint> {
        if let Some(&arg) = self.feeds.get(&end) {
            return Ok(Endpoint::from(arg));
        }
        let node = self.copies.get(&end.node).copied();
        node.map(|node| Endpoint { node, port: end.port })
            .ok_or_else(|| Status::internal("an input was lost while pruning"))
    }
}
