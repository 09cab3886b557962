//! Reverse-mode differentiation of graphs: adds the nodes that compute how some values change others.
//!
//! The work is TensorFlow's `tf.gradients`. `reach` finds the nodes that lie on a path from an `x` to a
//! `y`; they are visited from the `y`s backwards, a node when all gradients of its outputs have arrived;
//! several gradients of one value are summed (`aggregate`), the operation's rule turns them into
//! gradients of its inputs, and what has arrived at the `x`s is the answer. The graph only grows, so a
//! gradient can be differentiated again.

mod aggregate;
mod inline;
mod reach;
mod refuse;
mod seed;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use downpour_tensor::{DataType, Result, Status};

use crate::builder::GraphBuilder;
use crate::gradient::{Gradient, GradientContext, GradientRule};
use crate::graph::Graph;
use crate::node::{Endpoint, Node, NodeId};
use crate::registry::OpRegistry;

pub use aggregate::densify;
pub use inline::inline_calls;
use reach::Between;

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
}

/// The gradient of the sum of `ys` by each of `xs`; `Gradient::None` where no path leads from one to the
/// other. New nodes stand under a scope that no other node has: the one asked for, perhaps numbered.
pub fn gradients(
    graph: &mut Graph,
    registry: &OpRegistry,
    wanted: &Differentiate,
) -> Result<Vec<Gradient>> {
    let base = if wanted.scope.is_empty() { "gradients" } else { &wanted.scope };
    let scope = free_scope(graph, base);
    let between = Between::find(graph, wanted);
    refuse::unsupported(graph, &between)?;
    let mut walk = Walk { received: vec![Vec::new(); graph.len()], scope, graph, registry };
    seed::add(&mut walk, wanted)?;
    walk.run(between, wanted)?;
    Ok(wanted.xs.iter().map(|x| walk.arrived(*x)).collect())
}

/// True where gradients flow: numbers that vary smoothly, and the handles that stand for them.
pub fn is_trainable(dtype: DataType) -> bool {
    dtype.is_floating()
        || dtype.is_complex()
        || matches!(dtype, DataType::Resource | DataType::Variant)
}

/// A differentiation under way.
struct Walk<'g> {
    graph: &'g mut Graph,
    registry: &'g OpRegistry,
    scope: String,
    /// By node and output: the gradients that have arrived.
    received: Vec<Vec<Vec<Gradient>>>,
}

impl Walk<'_> {
    /// Visits the nodes between, each after everything that depends on it.
    fn run(&mut self, between: Between, wanted: &Differentiate) -> Result<()> {
        let Between { mut pending, reached_ys, stops, .. } = between;
        let mut ready: VecDeque<NodeId> = reached_ys
            .into_iter()
            .filter(|id| pending.get(id).copied().unwrap_or(0) == 0)
            .collect();
        let never: Vec<NodeId> = wanted.stop_gradients.iter().map(|end| end.node).collect();
        while let Some(id) = ready.pop_front() {
            let grads = self.sum_received(id)?;
            if !stops.contains(&id) && !never.contains(&id) {
                self.differentiate(id, &grads)?;
            }
            for i in 0..self.graph.node(id).inputs.len() {
                let source = self.graph.node(id).inputs[i].node;
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

    fn builder(&mut self, scope: &str) -> GraphBuilder<'_> {
        let scope = format!("{}/{scope}", self.scope);
        GraphBuilder::new(self.graph, self.registry).in_scope(&scope)
    }

    /// One gradient per output of a node, several that arrived being summed.
    fn sum_received(&mut self, id: NodeId) -> Result<Vec<Gradient>> {
        let outputs = self.graph.node(id).output_types.len();
        let mut received = std::mem::take(&mut self.received[id.index()]);
        received.resize(outputs, Vec::new());
        let scope = format!("{}_gradient_sum", self.graph.node(id).name);
        let mut sums = Vec::with_capacity(outputs);
        for grads in &received {
            sums.push(aggregate::sum(&mut self.builder(&scope), grads)?);
        }
        self.received[id.index()] = sums.iter().map(|sum| vec![*sum]).collect();
        Ok(sums)
    }

    /// Calls the rule of a node and hands the results to its inputs.
    fn differentiate(&mut self, id: NodeId, grads: &[Gradient]) -> Result<()> {
        if grads.iter().all(|grad| *grad == Gradient::None) {
            return Ok(());
        }
        let node = self.graph.node(id).clone();
        let rule = match rule_of(&node, self.registry)? {
            GradientRule::Rule(rule) => rule,
            GradientRule::NotDifferentiable => return Ok(()),
            GradientRule::Missing => return Err(missing(&node)),
        };
        let mut builder = self.builder(&format!("{}_grad", node.name));
        let answers = rule(&mut GradientContext::new(&mut builder, id, grads))
            .map_err(|e| e.context(describe(&node)))?;
        self.check(&node, &answers)?;
        for (end, answer) in node.inputs.iter().zip(answers) {
            // Nodes made by rules are newer than the list.
            if answer != Gradient::None && end.node.index() < self.received.len() {
                self.receive(*end, answer);
            }
        }
        Ok(())
    }

    fn receive(&mut self, end: Endpoint, grad: Gradient) {
        let outputs = &mut self.received[end.node.index()];
        if outputs.len() <= end.port as usize {
            outputs.resize(end.port as usize + 1, Vec::new());
        }
        outputs[end.port as usize].push(grad);
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
                    self.graph.edge_type(*end).dtype
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
        match self.received[end.node.index()].get(end.port as usize).map(Vec::as_slice) {
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

fn missing(node: &Node) -> Status {
    Status::not_found(format!(
        "No gradient defined for operation '{}' (op type: {}); if it may count as a constant, put a \
         StopGradient after it",
        node.name,
        node.op_name()
    ))
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
