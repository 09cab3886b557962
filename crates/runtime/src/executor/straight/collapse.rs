//! Finds the loops that can run straight and replaces each by one node.

use std::collections::HashMap;
use std::sync::Arc;

use downpour_graph::frames::{self, Frames, Kind, is_merge};
use downpour_graph::passes::Subgraph;
use downpour_graph::{Attrs, Endpoint, Graph, Node, NodeId, OpSpec};
use downpour_tensor::Result;

use super::super::plan::carries_reference;
use super::Straight;
use super::program::{Action, Edge, Entry, LoopProgram, LoopStep};
use super::simplify::Simplified;
use crate::kernel::KernelBox;
use crate::value::Value;

/// A subgraph in which some loops are single nodes, and the kernels of these nodes by name.
pub(in super::super) struct Collapsed {
    pub subgraph: Subgraph,
    pub kernels: HashMap<String, Arc<KernelBox>>,
}

/// Makes a kernel for a node of the subgraph.
type MakeKernel<'a> = dyn Fn(&Arc<Node>) -> Result<Arc<KernelBox>> + 'a;

/// Collapses every loop that can be and that `straight` wants, inner ones first, so that a loop around
/// collapsed loops can follow. `None` when there is nothing to collapse.
pub(in super::super) fn collapse(
    subgraph: &Subgraph,
    straight: &Straight<'_>,
    make: &MakeKernel<'_>,
) -> Result<Option<Collapsed>> {
    let mut done: Option<Collapsed> = None;
    // Frames that stay, by name: the numbers change as others go.
    let mut refused: Vec<String> = Vec::new();
    loop {
        let current = done.as_ref().map_or(subgraph, |c| &c.subgraph);
        let order = frames::topological_order(&current.graph)?;
        let frames = frames::assign(&current.graph, &order)?;
        let inner = (1..frames.infos.len() as u32).find(|&frame| {
            let has_inner = frames.infos.iter().skip(1).any(|info| info.parent == frame);
            !has_inner && !refused.contains(&frames.infos[frame as usize].name)
        });
        let Some(frame) = inner else { return Ok(done) };
        let name = &frames.infos[frame as usize].name;
        let kernels = done.as_ref().map(|c| &c.kernels);
        let candidate = Candidate::new(current, &frames, frame, &order);
        let program = match candidate.allowed() && straight.wants(candidate.names()) {
            true => candidate.program(kernels, make)?,
            false => None,
        };
        let replaced = match program {
            Some(program) => candidate.replace(name, program)?,
            None => None,
        };
        match replaced {
            Some((subgraph, name, kernel)) => {
                let mut kernels = done.take().map(|c| c.kernels).unwrap_or_default();
                kernels.insert(name, kernel);
                done = Some(Collapsed { subgraph, kernels });
            }
            None => refused.push(name.clone()),
        }
    }
}

struct Candidate<'a> {
    subgraph: &'a Subgraph,
    frames: &'a Frames,
    frame: u32,
    /// The frame's nodes in topological order.
    members: Vec<NodeId>,
    enters: Vec<NodeId>,
    exits: Vec<NodeId>,
}

impl<'a> Candidate<'a> {
    fn new(
        subgraph: &'a Subgraph,
        frames: &'a Frames,
        frame: u32,
        order: &[NodeId],
    ) -> Candidate<'a> {
        let kind = |id: &NodeId| frames.kinds[id.index()];
        let inside = |id: &NodeId| frames.of_node[id.index()] == frame;
        let members: Vec<NodeId> = order.iter().copied().filter(inside).collect();
        let enters = |id: &NodeId| matches!(kind(id), Kind::Enter { frame: f, .. } if f == frame);
        Candidate {
            subgraph,
            frames,
            frame,
            enters: order.iter().copied().filter(enters).collect(),
            exits: members.iter().copied().filter(|id| kind(id) == Kind::Exit).collect(),
            members,
        }
    }

    fn kind(&self, id: NodeId) -> Kind {
        self.frames.kinds[id.index()]
    }

    fn is_inside(&self, id: NodeId) -> bool {
        self.frames.of_node[id.index()] == self.frame
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|id| self.subgraph.graph.node(*id).name.as_str())
    }

    /// The shapes a client's loops have; anything odd keeps the general machinery.
    fn allowed(&self) -> bool {
        let inside = |id: &NodeId| self.is_inside(*id);
        let fetched = self.subgraph.fetches.iter().map(|end| &end.node);
        let mut wanted = fetched.chain(&self.subgraph.targets);
        let seen_outside = wanted.any(|id| inside(id) && self.kind(*id) != Kind::Exit);
        let args = self.subgraph.args.iter().any(inside);
        let edges_are_plain = self.members.iter().all(|&id| {
            let node = self.subgraph.graph.node(id);
            let merge = is_merge(node.op_name());
            let data = node.inputs.iter().all(|end| match self.kind(end.node) {
                Kind::NextIteration => merge,
                _ => true,
            });
            let control = node.controls.iter().all(|source| match self.kind(*source) {
                Kind::NextIteration => false,
                Kind::Enter { constant, .. } => constant,
                _ => true,
            });
            data && control
        });
        let sends = self.members.iter().any(|id| self.kind(*id) == Kind::Transfer);
        !self.members.is_empty() && !sends && !seen_outside && !args && edges_are_plain
    }

    /// `None` when a kernel is asynchronous.
    fn program(
        &self,
        kernels: Option<&HashMap<String, Arc<KernelBox>>>,
        make: &MakeKernel<'_>,
    ) -> Result<Option<LoopProgram>> {
        let graph = &self.subgraph.graph;
        let simplified = Simplified::of(graph, &self.members);
        let stays = |id: &NodeId| !simplified.hoisted.contains(id) && !simplified.is_moved(*id);
        let running: Vec<NodeId> = self.members.iter().copied().filter(stays).collect();
        let number: HashMap<NodeId, u32> =
            running.iter().enumerate().map(|(i, id)| (*id, i as u32)).collect();
        let mut edges: HashMap<NodeId, Vec<Edge>> = HashMap::new();
        let mut places = Vec::with_capacity(running.len());
        let mut next_place = 0;
        for &id in &running {
            let node = graph.node(id);
            places.push((next_place, node.inputs.len() as u32));
            for end in node.inputs.iter().map(|end| simplified.source(*end)) {
                let edge = Edge { port: end.port, place: next_place, last: false };
                edges.entry(end.node).or_default().push(edge);
                next_place += 1;
            }
        }
        edges.values_mut().for_each(|list| mark_last(list));
        let mut take = |id: &NodeId| edges.remove(id).unwrap_or_default().into_boxed_slice();
        let entries = self.enters.iter().map(|id| Entry {
            constant: matches!(self.kind(*id), Kind::Enter { constant: true, .. }),
            edges: take(id),
        });
        let entries = entries.collect();
        let constants = simplified.hoisted.iter().map(|id| {
            let value = graph.node(*id).tensor("value")?;
            Ok((Value::Tensor(value), take(id)))
        });
        let constants = constants.collect::<Result<_>>()?;
        let mut steps = Vec::with_capacity(running.len());
        for (&id, &places) in running.iter().zip(&places) {
            let node = Arc::new(graph.node(id).clone());
            let Some(action) = self.action(id, &node, kernels, make)? else { return Ok(None) };
            // An Enter is alive whenever the loop runs at all.
            let controls = node.controls.iter().filter_map(|c| number.get(c).copied()).collect();
            steps.push(LoopStep {
                has_reference_inputs: node.inputs.iter().any(|e| carries_reference(graph, *e)),
                action,
                places,
                controls,
                edges: take(&id),
                node,
            });
        }
        let (steps, places) = (steps.into(), next_place as usize);
        Ok(Some(LoopProgram { entries, constants, steps, places, results: self.exits.len() }))
    }

    fn action(
        &self,
        id: NodeId,
        node: &Arc<Node>,
        kernels: Option<&HashMap<String, Arc<KernelBox>>>,
        make: &MakeKernel<'_>,
    ) -> Result<Option<Action>> {
        let action = match self.kind(id) {
            Kind::Exit => {
                let result = self.exits.iter().position(|exit| *exit == id);
                result.map(|i| Action::Exit(i as u32))
            }
            Kind::NextIteration => Some(Action::Next),
            Kind::Merge => Some(Action::Merge),
            Kind::ControlTrigger => Some(Action::Trigger),
            _ => match node.op_name() {
                "Identity" | "LoopCond" => Some(Action::Forward),
                "Switch" => Some(Action::Switch),
                "Const" => Some(Action::Constant(Value::Tensor(node.tensor("value")?))),
                _ => {
                    let kernel = match kernels.and_then(|k| k.get(&node.name)) {
                        Some(kernel) => kernel.clone(),
                        None => make(node)?,
                    };
                    matches!(*kernel, KernelBox::Sync(_)).then_some(Action::Compute(kernel))
                }
            },
        };
        Ok(action)
    }

    /// The subgraph with one node instead of the loop; `None` when that would make a cycle.
    fn replace(
        &self,
        frame: &str,
        program: LoopProgram,
    ) -> Result<Option<(Subgraph, String, Arc<KernelBox>)>> {
        let graph = &self.subgraph.graph;
        let goes = |id: NodeId| self.is_inside(id) || self.enters.contains(&id);
        let mut kept = Graph::new();
        kept.versions = graph.versions.clone();
        let mut moved: HashMap<NodeId, NodeId> = HashMap::new();
        for (id, node) in graph.nodes().filter(|(id, _)| !goes(*id)) {
            moved.insert(id, kept.push(node.clone())?);
        }
        let mut name = format!("{frame}/_loop");
        while kept.find(&name).is_some() {
            name.push('_');
        }
        let node = self.loop_node(&name)?;
        let whole = kept.push(node)?;
        for exit in &self.exits {
            moved.insert(*exit, whole);
        }
        let port = |end: Endpoint| match self.exits.iter().position(|exit| *exit == end.node) {
            Some(result) => Endpoint { node: whole, port: result as u32 },
            None => Endpoint { node: moved[&end.node], port: end.port },
        };
        for id in kept.ids() {
            let node = kept.node_mut(id);
            node.inputs.iter_mut().for_each(|end| *end = port(*end));
            node.controls.iter_mut().for_each(|control| *control = moved[control]);
        }
        let subgraph = Subgraph {
            args: self.subgraph.args.iter().map(|id| moved[id]).collect(),
            fetches: self.subgraph.fetches.iter().map(|&end| port(end)).collect(),
            targets: self.subgraph.targets.iter().map(|id| moved[id]).collect(),
            graph: kept,
        };
        let sound = frames::topological_order(&subgraph.graph).is_ok();
        Ok(sound.then(|| (subgraph, name, Arc::new(KernelBox::new(program)))))
    }

    /// The node that stands for the loop; inputs and controls still by the old numbers.
    fn loop_node(&self, name: &str) -> Result<Node> {
        let graph = &self.subgraph.graph;
        let spec = OpSpec::new(
            "_StraightLoop(inputs: Tin) -> (outputs: Tout)
                Tin: list(type)
                Tout: list(type)",
        )?;
        let enters = || self.enters.iter().map(|id| graph.node(*id));
        let mut controls: Vec<NodeId> = enters().flat_map(|n| n.controls.clone()).collect();
        controls.sort_unstable();
        controls.dedup();
        let exits = self.exits.iter().map(|id| graph.node(*id));
        Ok(Node {
            name: name.to_string(),
            op: Arc::new(spec),
            device: enters().next().map(|n| n.device.clone()).unwrap_or_default(),
            attrs: Attrs::new(),
            inputs: enters().flat_map(|n| n.inputs.clone()).collect(),
            controls,
            input_types: enters().flat_map(|n| n.input_types.clone()).collect(),
            output_types: exits.flat_map(|n| n.output_types.clone()).collect(),
        })
    }
}

/// The last edge of each port takes the value with it.
fn mark_last(edges: &mut [Edge]) {
    let mut seen = Vec::new();
    for edge in edges.iter_mut().rev() {
        if !seen.contains(&edge.port) {
            edge.last = true;
            seen.push(edge.port);
        }
    }
}
