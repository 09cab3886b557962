//! The body of a function with its gradient beside it, and how the two are taken apart again.

use std::collections::{BTreeSet, HashMap, HashSet};

use downpour_tensor::{DataType, Result, Status};

use super::alive::{Guard, Guards, always};
use super::units::{Level, LoopFrames};
use super::{DEEPEST, Differentiate, Work, densify, inline_calls, zeros::zeros_of};
use crate::attr::Function;
use crate::builder::GraphBuilder;
use crate::frames::topological_order;
use crate::function::{FunctionGraph, push_arg};
use crate::gradient::Gradient;
use crate::graph::Graph;
use crate::node::{EdgeType, Endpoint, NodeId};
use crate::registry::OpRegistry;

/// Operations that look only at the shape of what they are given: done going forward, so that the
/// value itself need not be kept.
const OF_SHAPE: [&str; 7] = [
    "Shape",
    "ShapeN",
    "Size",
    "Rank",
    "BroadcastGradientArgs",
    "TensorListLength",
    "TensorListElementShape",
];

/// Where copies of values stand.
pub(super) type Places = HashMap<Endpoint, Endpoint>;

/// A body and its gradient in one graph.
pub(super) struct Body {
    pub forward: FunctionGraph,
    /// The arguments that stand for gradients of results, in the order asked for.
    pub seeds: Vec<NodeId>,
    /// How many nodes the body had.
    known: usize,
    /// What was added to the body since.
    added: HashSet<NodeId>,
    guards: Guards,
}

/// A value that the gradient takes from the body.
pub(super) struct Capture {
    pub end: Endpoint,
    /// What the body hands over for it: the value itself unless it may be missing.
    pub value: Endpoint,
    guards: Vec<Guard>,
}

impl Body {
    pub fn new(
        work: &Work<'_>,
        function: &Function,
        wanted: impl Fn(&FunctionGraph) -> Differentiate,
    ) -> Result<Body> {
        let mut forward = work.library.instantiate(function, work.registry)?;
        let wanted = wanted(&forward);
        inline_calls(&mut forward.graph, work.registry, work.library, &wanted)?;
        let known = forward.graph.len();
        let (seeds, added, guards) = Default::default();
        Ok(Body { forward, seeds, known, added, guards })
    }

    /// The gradients of some results by some arguments, the gradient of each result being a new
    /// argument of its type.
    pub fn differentiate(
        &mut self,
        work: &mut Work<'_>,
        results: &[(usize, DataType)],
        args: &[usize],
    ) -> Result<Vec<Option<Endpoint>>> {
        if work.depth >= DEEPEST {
            return Err(Status::resource_exhausted(format!(
                "functions call each other more than {DEEPEST} deep and cannot be differentiated"
            )));
        }
        let mut wanted = Differentiate { aggregation: work.aggregation, ..Default::default() };
        for &(result, dtype) in results {
            let seed = self.add_seed(work.registry, dtype)?;
            wanted.ys.push(self.forward.results[result]);
            wanted.grad_ys.push(Gradient::Dense(seed.into()));
        }
        wanted.xs = args.iter().map(|arg| self.forward.args[*arg].into()).collect();
        let graph = &mut self.forward.graph;
        let loops = LoopFrames::find(graph)?.map(std::rc::Rc::new);
        if graph.nodes().any(|(_, node)| node.op_name() == "Switch") {
            let order = match &loops {
                Some(loops) => loops.order.clone(),
                None => topological_order(graph)?,
            };
            let level = Level { loops: loops.as_deref(), frame: 0 };
            self.guards = Guards::find(graph, &order, level);
        }
        let mut inner = Work::new(graph, work.registry, work.library, &wanted);
        inner.loops = loops;
        inner.depth = work.depth + 1;
        let grads = inner.gradients(&wanted, 0)?;
        let mut dense = Vec::with_capacity(grads.len());
        for grad in grads {
            dense.push(densify(&mut inner.builder("dense"), grad)?);
        }
        let (added, beside) = (inner.forward, inner.beside);
        self.guards.note_added(&self.forward.graph, &added, &beside);
        self.added = added;
        Ok(dense)
    }

    /// An argument that stands for a gradient coming in.
    pub fn add_seed(&mut self, registry: &OpRegistry, dtype: DataType) -> Result<NodeId> {
        let name = self.builder(registry, "").unique_name("gradient");
        let ty = EdgeType { dtype, is_ref: false };
        let seed = push_arg(&mut self.forward.graph, registry, name, ty, self.seeds.len())?;
        self.seeds.push(seed);
        Ok(seed)
    }

    pub fn builder<'a>(&'a mut self, registry: &'a OpRegistry, scope: &str) -> GraphBuilder<'a> {
        GraphBuilder::new(&mut self.forward.graph, registry).in_scope(scope)
    }

    /// Zeros for an argument that no gradient flows to.
    pub fn zeros(&mut self, work: &Work<'_>, arg: usize, dtype: DataType) -> Result<Endpoint> {
        let value = self.forward.args[arg].into();
        zeros_of(&mut self.builder(work.registry, "gradients/zeros"), value, dtype)
    }

    pub fn dtype(&self, end: Endpoint) -> DataType {
        self.forward.graph.edge_type(end).dtype
    }

    /// The argument that a value is, perhaps handed on under other names.
    pub fn arg_of(&self, end: Endpoint) -> Option<usize> {
        let end = self.origin(end);
        self.forward.args.iter().position(|arg| Endpoint::from(*arg) == end)
    }

    fn origin(&self, mut end: Endpoint) -> Endpoint {
        let graph = &self.forward.graph;
        loop {
            let node = graph.node(end.node);
            match (node.op_name(), node.inputs.as_slice()) {
                ("Identity", [input])
                    if self.is_forward(end.node) && !graph.edge_type(*input).is_ref =>
                {
                    end = *input;
                }
                _ => return end,
            }
        }
    }

    fn is_forward(&self, id: NodeId) -> bool {
        id.index() < self.known || self.added.contains(&id)
    }

    /// Lets the body do what looks at shapes only, except where `free` values are looked at, which the
    /// gradient has anyway.
    pub fn move_shapes(&mut self, free: impl Fn(&Body, Endpoint) -> bool) {
        for index in self.known..self.forward.graph.len() {
            let id = NodeId(index as u32);
            let node = self.forward.graph.node(id);
            let moves = OF_SHAPE.contains(&node.op_name())
                && node.inputs.iter().all(|end| self.is_forward(end.node))
                && !node.inputs.iter().all(|end| free(self, *end));
            if moves {
                self.guards.note(&self.forward.graph, id);
                self.added.insert(id);
            }
        }
    }

    /// The nodes that compute `outputs` of the gradient, and what they take from the body.
    pub fn cut(
        &mut self,
        registry: &OpRegistry,
        outputs: &[Endpoint],
    ) -> Result<(Vec<NodeId>, Vec<Capture>)> {
        let (mut live, mut taken) = (BTreeSet::new(), BTreeSet::new());
        let mut queue: Vec<Endpoint> = outputs.to_vec();
        while let Some(end) = queue.pop() {
            if self.is_forward(end.node) {
                taken.insert(end);
            } else if !self.seeds.contains(&end.node) && live.insert(end.node) {
                let node = self.forward.graph.node(end.node);
                queue.extend(&node.inputs);
                let controls = node.controls.iter().filter(|id| !self.is_forward(**id));
                queue.extend(controls.map(|id| Endpoint::from(*id)));
            }
        }
        let mut captures: Vec<Capture> = Vec::with_capacity(taken.len());
        let mut queue: Vec<Endpoint> = taken.into_iter().rev().collect();
        while let Some(end) = queue.pop() {
            if captures.iter().any(|capture| capture.end == end) {
                continue;
            }
            let guards = match self.copies(self.origin(end)) {
                true => Vec::new(),
                false => self.guards.of(&self.forward.graph, end),
            };
            queue.extend(guards.iter().map(|guard| guard.pred));
            let value = match guards.is_empty() {
                true => self.origin(end),
                false => {
                    let mut builder = GraphBuilder::new(&mut self.forward.graph, registry)
                        .in_scope("gradients/alive");
                    always(&mut builder, &mut self.added, end, &guards)?
                }
            };
            captures.push(Capture { end, value, guards });
        }
        Ok((live.into_iter().collect(), captures))
    }

    /// True for values the gradient can make for itself: constants, and handles by name.
    pub fn copies(&self, end: Endpoint) -> bool {
        let node = self.forward.graph.node(end.node);
        let by_name = node.inputs.is_empty()
            && node.output_types[end.port as usize].dtype == DataType::Resource;
        node.op_name() == "Const" || (by_name && node.op_name() == "VarHandleOp")
    }

    /// The body as a function of its own again, and where its values now stand.
    pub fn forward_part(&self) -> Result<(FunctionGraph, Places)> {
        let ids: Vec<NodeId> = self.forward.graph.ids().filter(|id| self.is_forward(*id)).collect();
        let mut part = FunctionGraph::default();
        let mut places = Places::new();
        copy_nodes(&self.forward.graph, &ids, &mut part.graph, &mut places)?;
        let place = |id: &NodeId| places.get(&Endpoint::from(*id)).map(|end| end.node);
        part.args = self.forward.args.iter().filter_map(place).collect();
        // A node without outputs has no place among values; it keeps its name.
        let named = |id: &NodeId| part.graph.find(&self.forward.graph.node(*id).name);
        part.targets = self.forward.targets.iter().filter_map(named).collect();
        part.results = self.forward.results.iter().map(|end| places[end]).collect();
        Ok((part, places))
    }

    /// Copies the gradient's nodes to where `places` has the seeds and captures.
    pub fn copy_gradient(
        &self,
        live: &[NodeId],
        to: &mut Graph,
        places: &mut Places,
    ) -> Result<()> {
        copy_nodes(&self.forward.graph, live, to, places)
    }

    /// Puts captured values behind the switches they came from; `places` has what was handed over.
    pub fn guard_captures(
        &self,
        captures: &[Capture],
        builder: &mut GraphBuilder<'_>,
        places: &mut Places,
    ) -> Result<()> {
        // A condition has fewer guards than what it guards.
        let mut captures: Vec<&Capture> = captures.iter().collect();
        captures.sort_by_key(|capture| capture.guards.len());
        for capture in captures {
            let mut value = places[&capture.value];
            for guard in &capture.guards {
                let pred = places[&guard.pred];
                let switch = builder.add("Switch", &[value, pred], crate::Attrs::new())?;
                value = Endpoint { node: switch, port: guard.side };
            }
            places.insert(capture.end, value);
        }
        Ok(())
    }
}

/// Copies nodes of one graph into another; inputs that are not copied stand where `places` says.
pub(super) fn copy_nodes(
    from: &Graph,
    ids: &[NodeId],
    to: &mut Graph,
    places: &mut Places,
) -> Result<()> {
    let mut copies: HashMap<NodeId, NodeId> = HashMap::with_capacity(ids.len());
    for &id in ids {
        let mut copy = from.node(id).clone();
        let base = copy.name.clone();
        let mut number = 0;
        while to.find(&copy.name).is_some() {
            number += 1;
            copy.name = format!("{base}_{number}");
        }
        let outputs = copy.output_types.len() as u32;
        let new = to.push(copy)?;
        copies.insert(id, new);
        for port in 0..outputs {
            places.insert(Endpoint { node: id, port }, Endpoint { node: new, port });
        }
    }
    for (&old, &new) in &copies {
        let node = from.node(old);
        let mut inputs = Vec::with_capacity(node.inputs.len());
        for end in &node.inputs {
            inputs.push(places.get(end).copied().ok_or_else(|| {
                Status::internal(format!("{} was not handed over", from.endpoint_name(*end)))
            })?);
        }
        let copy = to.node_mut(new);
        copy.inputs = inputs;
        copy.controls = node.controls.iter().filter_map(|id| copies.get(id).copied()).collect();
    }
    Ok(())
}
