//! Function calls between the `x`s and the `y`s become the nodes of their bodies, so that gradients can
//! go through them.
//!
//! The calling node keeps its name and its outputs as an IdentityN of the results, and waits for what
//! the body would run for its effect, so that nobody who names the node sees a difference.

use downpour_tensor::{DataType, Result, Status};

use super::Differentiate;
use super::reach::Between;
use super::units::{Level, Unit};
use crate::attr::{AttrValue, Attrs, Function};
use crate::builder::GraphBuilder;
use crate::function::{FunctionGraph, FunctionLibrary};
use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};
use crate::registry::OpRegistry;

/// A function may call itself, once or often; then there is no end to it.
const MOST_CALLS: usize = 10_000;
const DEEPEST_CALL: usize = 100;

/// Opens every call that lies between; calls inside the bodies too.
pub fn inline_calls(
    graph: &mut Graph,
    registry: &OpRegistry,
    library: &FunctionLibrary,
    wanted: &Differentiate,
) -> Result<()> {
    let mut opened = 0;
    for depth in 0.. {
        let between = Between::find(graph, wanted, Level::flat());
        let calls: Vec<(NodeId, Function)> = between
            .units
            .iter()
            .filter_map(|unit| match unit {
                Unit::Node(id) => {
                    let call = call_of(graph, library, *id)?;
                    // Its author's gradient is better than that of its body.
                    library.own_gradient(&call.name).is_none().then_some((*id, call))
                }
                Unit::Loop(_) => None,
            })
            .collect();
        if calls.is_empty() {
            return Ok(());
        }
        for (id, call) in calls {
            opened += 1;
            if opened > MOST_CALLS || depth > DEEPEST_CALL {
                return Err(Status::resource_exhausted(format!(
                    "the graph calls functions more than {DEEPEST_CALL} deep or {MOST_CALLS} times over, \
                     at last {}, so that they cannot be opened to differentiate them",
                    graph.node(id).op_name()
                )));
            }
            let name = graph.node(id).name.clone();
            Opening { graph, registry, library, id, effects: Vec::new() }
                .open(&call)
                .map_err(|e| e.context(format!("opening the call '{name}'")))?;
        }
    }
    Ok(())
}

pub(super) fn call_of(graph: &Graph, library: &FunctionLibrary, id: NodeId) -> Option<Function> {
    let node = graph.node(id);
    match node.op_name() {
        "PartitionedCall" | "StatefulPartitionedCall" => node.function("f").ok(),
        name if library.contains(name) => {
            Some(Function { name: name.to_string(), attrs: node.attrs.clone() })
        }
        _ => None,
    }
}

struct Opening<'g> {
    graph: &'g mut Graph,
    registry: &'g OpRegistry,
    library: &'g FunctionLibrary,
    /// The calling node.
    id: NodeId,
    /// Nodes of bodies that run for their effect.
    effects: Vec<NodeId>,
}

impl Opening<'_> {
    fn open(mut self, function: &Function) -> Result<()> {
        let node = self.graph.node(self.id);
        let (inputs, mut controls) = (node.inputs.clone(), node.controls.clone());
        // What the body makes from nothing must run where the call runs: in its loop and its branch.
        let flows = |op: &str| op == "Switch" || op == "Enter";
        if let Some(input) = inputs.first()
            && self.graph.nodes().any(|(_, node)| flows(node.op_name()))
        {
            controls = vec![self.add("Identity", &[*input])?];
        }
        let results = self.body(function, &inputs, &controls)?;
        self.close(results)
    }

    /// Copies a function's nodes in, its arguments replaced by `args`.
    fn body(
        &mut self,
        function: &Function,
        args: &[Endpoint],
        controls: &[NodeId],
    ) -> Result<Vec<Endpoint>> {
        let body: FunctionGraph = self.library.instantiate(function, self.registry)?;
        if body.args.len() != args.len() {
            return Err(Status::invalid_argument(format!(
                "the function '{}' takes {} arguments but gets {}",
                function.name,
                body.args.len(),
                args.len()
            )));
        }
        let mut places = vec![Endpoint::from(self.id); body.graph.len()];
        let mut copies = Vec::new();
        for (&arg, &given) in body.args.iter().zip(args) {
            places[arg.index()] = given;
        }
        for (old, node) in body.graph.nodes() {
            if body.args.contains(&old) {
                continue;
            }
            let mut copy = node.clone();
            copy.name = self.unique(&node.name);
            let new = self.graph.push(copy)?;
            places[old.index()] = new.into();
            copies.push((old, new));
        }
        let place = |end: &Endpoint| match body.args.contains(&end.node) {
            true => places[end.node.index()],
            false => Endpoint { node: places[end.node.index()].node, port: end.port },
        };
        for &(old, new) in &copies {
            let inner = body.graph.node(old);
            let copy = self.graph.node_mut(new);
            copy.inputs = inner.inputs.iter().map(place).collect();
            copy.controls = inner.controls.iter().map(|id| places[id.index()].node).collect();
            if inner.inputs.is_empty() {
                copy.controls.extend_from_slice(controls);
            }
        }
        self.effects.extend(body.targets.iter().map(|id| places[id.index()].node));
        Ok(body.results.iter().map(place).collect())
    }

    /// Makes the calling node hand on what was computed in its stead.
    fn close(self, results: Vec<Endpoint>) -> Result<()> {
        let Some(spec) = self.registry.get("IdentityN") else {
            return Err(Status::failed_precondition(
                "opening a call needs the operation IdentityN",
            ));
        };
        let types: Vec<DataType> =
            results.iter().map(|end| self.graph.edge_type(*end).dtype).collect();
        let node = self.graph.node_mut(self.id);
        if node.output_types.iter().map(|t| t.dtype).ne(types.iter().copied()) {
            return Err(Status::invalid_argument(format!(
                "the function gives {types:?}, which the call does not expect"
            )));
        }
        node.op = spec.clone();
        node.attrs = Attrs::new().with("T", AttrValue::from(types));
        node.input_types.clone_from(&node.output_types);
        node.inputs = results;
        node.controls = self.effects;
        Ok(())
    }

    fn add(&mut self, op: &str, inputs: &[Endpoint]) -> Result<NodeId> {
        let name = self.unique(op);
        GraphBuilder::new(self.graph, self.registry).add_named(&name, op, inputs, Attrs::new())
    }

    fn unique(&mut self, base: &str) -> String {
        let scope = self.graph.node(self.id).name.clone();
        GraphBuilder::new(self.graph, self.registry).in_scope(&scope).unique_name(base)
    }
}
