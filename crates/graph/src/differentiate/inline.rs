//! Function calls between the `x`s and the `y`s become the nodes of their bodies, so that gradients can
//! go through them; a conditional call becomes Switch and Merge around its bodies.
//!
//! The calling node keeps its name and its outputs as an IdentityN of the results, and waits for what
//! the body would run for its effect, so that nobody who names the node sees a difference.

use downpour_tensor::{DataType, Result, Status, Tensor};

use super::Differentiate;
use super::reach::Between;
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
        let between = Between::find(graph, wanted);
        let calls: Vec<(NodeId, Call)> = between
            .nodes
            .iter()
            .filter_map(|&id| Some((id, call_of(graph, library, id)?)))
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

enum Call {
    Always(Function),
    /// The first input is the condition.
    If {
        then_branch: Function,
        else_branch: Function,
    },
    /// The first input is a branch's number; any other means the last one.
    Case(Vec<Function>),
}

fn call_of(graph: &Graph, library: &FunctionLibrary, id: NodeId) -> Option<Call> {
    let node = graph.node(id);
    match node.op_name() {
        "PartitionedCall" | "StatefulPartitionedCall" => node.function("f").ok().map(Call::Always),
        "If" | "StatelessIf" => Some(Call::If {
            then_branch: node.function("then_branch").ok()?,
            else_branch: node.function("else_branch").ok()?,
        }),
        "Case" | "StatelessCase" => node.functions("branches").ok().map(Call::Case),
        name if library.contains(name) => {
            Some(Call::Always(Function { name: name.to_string(), attrs: node.attrs.clone() }))
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
    fn open(mut self, call: &Call) -> Result<()> {
        let node = self.graph.node(self.id);
        let (inputs, controls) = (node.inputs.clone(), node.controls.clone());
        let results = match call {
            Call::Always(function) => self.body(function, &inputs, &controls)?,
            Call::If { then_branch, else_branch } => {
                let [condition, inputs @ ..] = &inputs[..] else { return Err(no_condition()) };
                let pred = match self.graph.edge_type(*condition).dtype {
                    DataType::Bool => *condition,
                    _ => self.add("ToBool", &[*condition])?.into(),
                };
                self.branches(&[then_branch, else_branch], &[pred], inputs, &controls)?
            }
            Call::Case(functions) => {
                let [number, inputs @ ..] = &inputs[..] else { return Err(no_condition()) };
                let mut preds = Vec::new();
                for branch in 0..functions.len().saturating_sub(1) {
                    let branch = self.constant(Tensor::scalar(branch as i32))?;
                    preds.push(self.add("Equal", &[*number, branch])?.into());
                }
                let functions: Vec<&Function> = functions.iter().collect();
                self.branches(&functions, &preds, inputs, &controls)?
            }
        };
        self.close(results)
    }

    /// One body per branch, each with its own side of every input: `preds[i]` leads to branch i, and what
    /// no predicate takes goes to the last.
    fn branches(
        &mut self,
        functions: &[&Function],
        preds: &[Endpoint],
        inputs: &[Endpoint],
        controls: &[NodeId],
    ) -> Result<Vec<Endpoint>> {
        let mut args = vec![Vec::with_capacity(inputs.len()); functions.len()];
        for &input in inputs {
            for (args, side) in args.iter_mut().zip(self.split(input, preds)?) {
                args.push(side);
            }
        }
        let pivot = self.constant(Tensor::scalar(true))?;
        self.graph.node_mut(pivot.node).controls = controls.to_vec();
        let pivots = self.split(pivot, preds)?;
        let mut merged: Vec<Vec<Endpoint>> = Vec::new();
        let mut ends = Vec::with_capacity(functions.len());
        for ((function, args), pivot) in functions.iter().zip(&args).zip(pivots) {
            // What the body makes from nothing must be dead, too, when its branch is not taken.
            let alive = self.add("Identity", &[pivot])?;
            let before = self.effects.len();
            let results = self.body(function, args, &[alive])?;
            // Waiting for a dead node means being dead: the branches' effects meet in a Merge of their own.
            let effects = self.effects.split_off(before);
            let done = self.add("Identity", &[pivot])?;
            self.graph.node_mut(done).controls = effects;
            ends.push(Endpoint::from(done));
            merged.resize(results.len().max(merged.len()), Vec::new());
            for (sides, result) in merged.iter_mut().zip(results) {
                sides.push(result);
            }
        }
        let done = self.add("Merge", &ends)?;
        self.effects.push(done);
        merged.iter().map(|sides| self.add("Merge", sides).map(Endpoint::from)).collect()
    }

    /// A value's side for each branch, of which one is alive.
    fn split(&mut self, value: Endpoint, preds: &[Endpoint]) -> Result<Vec<Endpoint>> {
        let mut rest = value;
        let mut sides = Vec::with_capacity(preds.len() + 1);
        for &pred in preds {
            let node = self.add("Switch", &[rest, pred])?;
            sides.push(Endpoint { node, port: 1 });
            rest = Endpoint { node, port: 0 };
        }
        sides.push(rest);
        Ok(sides)
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

    fn constant(&mut self, value: Tensor) -> Result<Endpoint> {
        let scope = self.graph.node(self.id).name.clone();
        GraphBuilder::new(self.graph, self.registry).in_scope(&scope).constant(value)
    }

    fn unique(&mut self, base: &str) -> String {
        let scope = self.graph.node(self.id).name.clone();
        GraphBuilder::new(self.graph, self.registry).in_scope(&scope).unique_name(base)
    }
}

fn no_condition() -> Status {
    Status::invalid_argument("the call has no input to choose a branch by")
}
