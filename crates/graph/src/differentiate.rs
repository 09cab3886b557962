//! Reverse-mode differentiation of graphs: adds the nodes that compute how some values change others.
//!
//! The work is TensorFlow's `tf.gradients`. `reach` finds the nodes that lie on a path from an `x` to a
//! `y`; they are visited from the `y`s backwards, a node when all gradients of its outputs have arrived;
//! several gradients of one value are summed (`aggregate`), the operation's rule turns them into
//! gradients of its inputs, and what has arrived at the `x`s is the answer. The graph only grows, so a
//! gradient can be differentiated again.
//!
//! Calls of functions are opened (`inline`). Loops and conditionals are differentiated as wholes: the
//! functional ones by differentiating the functions they call (`while_loop`, `branches`, `body`), which
//! adds functions to the library and results to the forward node; loops of Enter and Exit by a loop
//! that runs backwards over what the forward loop has put on stacks (`frame_loop`, `history`).

mod aggregate;
mod alive;
mod body;
mod branches;
mod colocate;
mod frame_loop;
mod frame_parts;
mod history;
mod inline;
mod own_gradient;
mod reach;
mod refuse;
mod seed;
#[cfg(test)]
mod tests;
mod units;
mod while_loop;
mod zeros;

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use downpour_tensor::{DataType, Result, Status};

use crate::builder::GraphBuilder;
use crate::function::FunctionLibrary;
use crate::gradient::{Gradient, GradientContext, GradientRule};
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::registry::OpRegistry;

pub use aggregate::{Aggregation, densify};
use frame_parts::FrameLoop;
use inline::inline_calls;
use reach::{Between, sources};
use units::{Level, LoopFrames, Unit};

/// What is to be differentiated.
#[derive(Clone, Debug, Default)]
pub struct Differentiate {
    /// The values to differentiate; their gradients are summed.
    pub ys: Vec<Endpoint>,
    /// The values to differentiate by.
    pub xs: Vec<Endpoint>,
    /// The gradient to start from for each `y`, ones where it is `None`. May be shorter than `ys`.
    pub grad_ys: Vec<Gradient>,
    /// Values to treat as constants.
    pub stop_gradients: Vec<Endpoint>,
    /// The scope of the new nodes; `gradients` when empty.
    pub scope: String,
    /// Put the nodes of a gradient on the device of the node they belong to.
    pub colocate: bool,
    /// How several gradients of one value are summed.
    pub aggregation: Aggregation,
}

/// The gradient of the sum of `ys` by each of `xs`; `Gradient::None` where no path leads from one to the
/// other. New nodes stand under a scope that no other node has: the one asked for, perhaps numbered.
///
/// Calls of functions between are opened: the calling node keeps its name and outputs. Functional loops
/// and conditionals between get functions with further results (what their gradients need), which are
/// added to `library` together with the functions of the gradients.
pub fn gradients(
    graph: &mut Graph,
    registry: &OpRegistry,
    library: &mut FunctionLibrary,
    wanted: &Differentiate,
) -> Result<Vec<Gradient>> {
    inline_calls(graph, registry, library, wanted)?;
    let loops = LoopFrames::find(graph)?.map(Rc::new);
    let mut work = Work::new(graph, registry, library, wanted);
    work.loops = loops;
    work.gradients(wanted, 0)
}

/// The gradients of a formula that a rule has written down: plain nodes and nothing else.
pub(crate) fn formula_gradients(
    graph: &mut Graph,
    registry: &OpRegistry,
    wanted: &Differentiate,
) -> Result<Vec<Gradient>> {
    Work::new(graph, registry, &mut FunctionLibrary::new(), wanted).gradients(wanted, 0)
}

/// True where gradients flow: numbers that vary smoothly, and the handles that stand for them.
pub fn is_trainable(dtype: DataType) -> bool {
    dtype.is_floating()
        || dtype.is_complex()
        || matches!(dtype, DataType::Resource | DataType::Variant)
}

/// A function may call itself through loops and conditionals; then there is no end to it.
const DEEPEST: usize = 100;

/// A graph under differentiation.
struct Work<'g> {
    graph: &'g mut Graph,
    registry: &'g OpRegistry,
    library: &'g mut FunctionLibrary,
    scope: String,
    /// The graph's loops of Enter and Exit, if it has some.
    loops: Option<Rc<LoopFrames>>,
    /// New nodes that belong to what is differentiated and not to its gradient.
    forward: HashSet<NodeId>,
    /// For new Exits among them: a value that exists wherever they do.
    beside: HashMap<NodeId, Endpoint>,
    /// The loops of Enter and Exit around what is being differentiated, outermost first.
    around: Vec<history::Around>,
    /// New nodes of gradients that may take from what is differentiated, wherever they are.
    settled: HashSet<NodeId>,
    aggregation: Aggregation,
    colocate: bool,
    /// How many functions are being differentiated around this graph.
    depth: usize,
}

impl<'g> Work<'g> {
    fn new(
        graph: &'g mut Graph,
        registry: &'g OpRegistry,
        library: &'g mut FunctionLibrary,
        wanted: &Differentiate,
    ) -> Work<'g> {
        let base = if wanted.scope.is_empty() { "gradients" } else { &wanted.scope };
        let scope = free_scope(graph, base);
        Work {
            graph,
            registry,
            library,
            scope,
            loops: None,
            forward: HashSet::new(),
            beside: HashMap::new(),
            around: Vec::new(),
            settled: HashSet::new(),
            aggregation: wanted.aggregation,
            colocate: wanted.colocate,
            depth: 0,
        }
    }

    /// The gradients of values in one frame by values in the same.
    fn gradients(&mut self, wanted: &Differentiate, frame: u32) -> Result<Vec<Gradient>> {
        let loops = self.loops.clone();
        let level = Level { loops: loops.as_deref(), frame };
        refuse::unreachable_ends(self.graph, wanted, level)?;
        let between = Between::find(self.graph, wanted, level);
        refuse::unsupported(self.graph, self.library, &between)?;
        let mut walk = Walk {
            known: self.graph.len(),
            inside: between.units.iter().copied().collect(),
            received: HashMap::new(),
            work: self,
            level,
        };
        seed::add(&mut walk, wanted)?;
        walk.run(between, wanted)?;
        Ok(wanted.xs.iter().map(|x| walk.arrived(*x)).collect())
    }

    fn builder(&mut self, scope: &str) -> GraphBuilder<'_> {
        let scope = format!("{}/{scope}", self.scope);
        GraphBuilder::new(self.graph, self.registry).in_scope(&scope)
    }

    fn dtype(&self, end: Endpoint) -> DataType {
        self.graph.edge_type(end).dtype
    }
}

/// A differentiation under way at one level.
struct Walk<'w, 'g> {
    work: &'w mut Work<'g>,
    level: Level<'w>,
    /// How many nodes there were before; what rules make is newer.
    known: usize,
    inside: HashSet<Unit>,
    /// The gradients that have arrived.
    received: HashMap<Endpoint, Vec<Gradient>>,
}

impl Walk<'_, '_> {
    /// Visits what lies between, each after everything that depends on it.
    fn run(&mut self, between: Between, wanted: &Differentiate) -> Result<()> {
        let Between { mut pending, reached_ys, stops, .. } = between;
        let mut ready: VecDeque<Unit> = reached_ys
            .into_iter()
            .filter(|unit| pending.get(unit).copied().unwrap_or(0) == 0)
            .collect();
        let never: HashSet<NodeId> = wanted.stop_gradients.iter().map(|end| end.node).collect();
        while let Some(unit) = ready.pop_front() {
            let before = self.work.graph.len();
            let inputs: Vec<Unit> = sources(self.work.graph, unit, self.level).collect();
            match unit {
                Unit::Node(id) => {
                    let grads = self.sum_received(id)?;
                    if !stops.contains(&unit) && !never.contains(&id) {
                        self.differentiate(id, &grads)?;
                    }
                    self.work.colocate(id, before);
                }
                Unit::Loop(frame) => {
                    let (parts, grads) = self.sum_exits(frame, &never)?;
                    if !stops.contains(&unit) {
                        self.differentiate_loop(&parts, &grads)?;
                    }
                }
            }
            for source in inputs {
                if let Some(count) = pending.get_mut(&source) {
                    *count -= 1;
                    if *count == 0 {
                        ready.push_back(source);
                    }
                }
            }
        }
        Ok(())
    }

    /// One gradient per output of a node, several that arrived being summed.
    fn sum_received(&mut self, id: NodeId) -> Result<Vec<Gradient>> {
        let outputs = self.work.graph.node(id).output_types.len() as u32;
        let scope = format!("{}_gradient_sum", self.work.graph.node(id).name);
        let aggregation = self.work.aggregation;
        let mut sums = Vec::with_capacity(outputs as usize);
        for port in 0..outputs {
            let end = Endpoint { node: id, port };
            let received = self.received.remove(&end).unwrap_or_default();
            let sum = aggregate::sum(&mut self.work.builder(&scope), &received, aggregation)?;
            self.received.insert(end, vec![sum]);
            sums.push(sum);
        }
        Ok(sums)
    }

    /// Calls the rule of a node and hands the results to its inputs.
    fn differentiate(&mut self, id: NodeId, grads: &[Gradient]) -> Result<()> {
        if grads.iter().all(|grad| *grad == Gradient::None) {
            return Ok(());
        }
        let node = self.work.graph.node(id).clone();
        let answers = match self.answers(id, &node, grads) {
            Ok(None) => return Ok(()),
            Ok(Some(answers)) => answers,
            Err(error) => return Err(error.context(describe(&node))),
        };
        self.check(&node, &answers)?;
        for (end, answer) in node.inputs.iter().zip(answers) {
            self.receive(*end, answer);
        }
        Ok(())
    }

    /// The gradients of a node's inputs; nothing where none can flow.
    fn answers(
        &mut self,
        id: NodeId,
        node: &Node,
        grads: &[Gradient],
    ) -> Result<Option<Vec<Gradient>>> {
        if let Some(function) = own_gradient::call(self.work.graph, self.work.library, id) {
            return own_gradient::differentiate(self.work, id, function, grads).map(Some);
        }
        let needed: Vec<bool> = node.inputs.iter().map(|end| self.is_needed(*end)).collect();
        match node.op_name() {
            "While" | "StatelessWhile" => {
                while_loop::differentiate(self.work, id, grads, &needed).map(Some)
            }
            "If" | "StatelessIf" | "Case" | "StatelessCase" => {
                branches::differentiate(self.work, id, grads, &needed).map(Some)
            }
            _ => match rule_of(node, self.work.registry)? {
                GradientRule::Rule(rule) => {
                    let mut builder = self.work.builder(&format!("{}_grad", node.name));
                    rule(&mut GradientContext::new(&mut builder, id, grads)).map(Some)
                }
                GradientRule::NotDifferentiable => Ok(None),
                GradientRule::Missing => Err(refuse::missing(node)),
            },
        }
    }

    /// The parts of a loop, and the gradient of each variable's last value.
    fn sum_exits(
        &mut self,
        frame: u32,
        never: &HashSet<NodeId>,
    ) -> Result<(FrameLoop, Vec<Gradient>)> {
        let Some(loops) = self.level.loops else {
            return Err(Status::internal("a loop was found where there is none"));
        };
        let parts = FrameLoop::find(self.work.graph, loops, frame)?;
        let mut sums = Vec::with_capacity(parts.variables.len());
        for variable in &parts.variables {
            let mut grads = Vec::new();
            for exit in &variable.exits {
                let sum = self.sum_received(*exit)?;
                grads.extend(sum.into_iter().filter(|_| !never.contains(exit)));
            }
            let scope = format!("{}_gradient_sum", self.work.graph.node(variable.enter).name);
            let aggregation = self.work.aggregation;
            sums.push(aggregate::sum(&mut self.work.builder(&scope), &grads, aggregation)?);
        }
        Ok((parts, sums))
    }

    fn differentiate_loop(&mut self, parts: &FrameLoop, grads: &[Gradient]) -> Result<()> {
        let Some(loops) = self.level.loops else { return Ok(()) };
        if grads.iter().all(|grad| *grad == Gradient::None) {
            return Ok(());
        }
        let needs = |enter: &NodeId| self.is_needed(self.work.graph.node(*enter).inputs[0]);
        let needed = parts.enters().map(|enter| (enter, needs(&enter))).collect();
        let answers = frame_loop::differentiate(self.work, loops, parts, grads, &needed)
            .map_err(|e| e.context(format!("gradient of the loop '{}'", parts.name)))?;
        for (enter, answer) in answers {
            let end = self.work.graph.node(enter).inputs[0];
            self.receive(end, answer);
        }
        Ok(())
    }

    /// True where a gradient of this value is of use.
    fn is_needed(&self, end: Endpoint) -> bool {
        is_trainable(self.work.dtype(end))
            && self.level.unit(end.node).is_some_and(|unit| self.inside.contains(&unit))
    }

    fn receive(&mut self, end: Endpoint, grad: Gradient) {
        if grad != Gradient::None && end.node.index() < self.known {
            self.received.entry(end).or_default().push(grad);
        }
    }

    /// A rule answers for every input, in the input's own type.
    fn check(&self, node: &Node, answers: &[Gradient]) -> Result<()> {
        if answers.len() != node.inputs.len() {
            return Err(Status::internal(format!(
                "{}: the rule gives {} gradients for {} inputs",
                describe(node),
                answers.len(),
                node.inputs.len()
            )));
        }
        for (i, (answer, expected)) in answers.iter().zip(&node.input_types).enumerate() {
            let given = match answer {
                Gradient::None => continue,
                Gradient::Dense(end) | Gradient::Sparse { values: end, .. } => {
                    self.work.dtype(*end)
                }
            };
            // The gradient of a variable's handle is a tensor of the variable's type.
            if expected.dtype != DataType::Resource && expected.dtype != given {
                return Err(Status::internal(format!(
                    "{}: the rule gives a gradient of type {given} for input {i} of type {}",
                    describe(node),
                    expected.dtype
                )));
            }
        }
        Ok(())
    }

    fn arrived(&self, end: Endpoint) -> Gradient {
        match self.received.get(&end).map(Vec::as_slice) {
            Some([grad]) => *grad,
            _ => Gradient::None,
        }
    }
}

/// A node's rule: its operation's, or the one that `tf.Graph.gradient_override_map` asks for.
fn rule_of(node: &Node, registry: &OpRegistry) -> Result<GradientRule> {
    let Ok(name) = node.string("_gradient_op_type") else { return Ok(node.op.gradient) };
    match registry.get(&name) {
        Some(spec) => Ok(spec.gradient),
        None => Err(Status::unimplemented(format!(
            "{} asks for the gradient '{name}', which only the program that built the graph knows; \
             differentiate there, or leave the attribute _gradient_op_type out",
            describe(node)
        ))),
    }
}

fn describe(node: &Node) -> String {
    format!("gradient of '{}' (op type: {})", node.name, node.op_name())
}

/// A scope that no node's name begins with.
fn free_scope(graph: &Graph, base: &str) -> String {
    let taken = |scope: &str| {
        graph.nodes().any(|(_, node)| {
            node.name
                .strip_prefix(scope)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    std::iter::once(base.to_string())
        .chain((1..).map(|i| format!("{base}_{i}")))
        .find(|scope| !taken(scope))
        .expect("numbers do not run out")
}
