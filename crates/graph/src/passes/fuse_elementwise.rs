//! Chains (and small trees) of element-wise operations become one node that runs a program.
//!
//! Starting from a node whose value is needed, inputs are absorbed as long as they are fusable, of the
//! same type, wait for nothing, and nobody outside sees their values. The new node takes the last one's
//! name, so that clients and errors know it.

use std::sync::Arc;

use downpour_tensor::{DataType, Result, Tensor};

use super::consumers::Uses;
use super::is_pure;
use super::prune::Subgraph;
use crate::attr::Attrs;
use crate::node::{EdgeType, Endpoint, Node, NodeId};
use crate::registry::{OpRegistry, OpSpec};

/// How an operation may take part in a fused program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fusable {
    /// Operands of a step: the operation's inputs, then `attribute` if there is one.
    pub arity: usize,
    /// A float attribute that becomes the step's last operand.
    pub attribute: Option<&'static str>,
}

/// Attribute of a fused node: the nodes it stands for besides its own, each as `name = Operation`.
pub const ABSORBED: &str = "_absorbed";

/// A longer program gains nothing more, and its scratch memory grows.
const MAX_STEPS: usize = 256;

/// Fuses what can be fused; absorbed nodes are left for `sweep`. `order` is a topological order.
pub fn fuse_elementwise(
    subgraph: &mut Subgraph,
    order: &[NodeId],
    registry: &OpRegistry,
) -> Result<()> {
    let Some(spec) = registry.get("_FusedElementwise").cloned() else { return Ok(()) };
    let uses = Uses::of(subgraph);
    let mut absorbed = vec![false; subgraph.graph.len()];
    for &root in order.iter().rev() {
        if absorbed[root.index()] || fusable(subgraph.graph.node(root), registry).is_none() {
            continue;
        }
        let mut program = Program::new(subgraph, registry, &uses);
        program.add(root);
        if program.steps.len() < 2 {
            continue;
        }
        let (steps, inputs, members) = (program.steps, program.inputs, program.members);
        let names = program.names;
        members.iter().for_each(|id| absorbed[id.index()] = true);
        let node = subgraph.graph.node_mut(root);
        *node = fused_node(node, &spec, steps, inputs, names);
    }
    Ok(())
}

fn fused_node(
    root: &Node,
    spec: &Arc<OpSpec>,
    steps: Vec<String>,
    inputs: Vec<Endpoint>,
    names: Vec<String>,
) -> Node {
    let dtype = root.output_types[0].dtype;
    let attrs = Attrs::new()
        .with("N", inputs.len() as i64)
        .with("T", dtype)
        .with("program", steps)
        .with(ABSORBED, names);
    Node {
        name: root.name.clone(),
        op: spec.clone(),
        device: root.device.clone(),
        attrs,
        input_types: vec![EdgeType { dtype, is_ref: false }; inputs.len()],
        inputs,
        controls: root.controls.clone(),
        output_types: root.output_types.clone(),
    }
}

fn fusable(node: &Node, registry: &OpRegistry) -> Option<Fusable> {
    let fusable = registry.fusable(node.op_name())?;
    let dtype = node.output_types.first()?.dtype;
    let eligible = is_pure(node)
        && matches!(dtype, DataType::Float | DataType::Double)
        && node.output_types.len() == 1
        && node.input_types.iter().all(|t| t.dtype == dtype)
        && node.inputs.len() + fusable.attribute.is_some() as usize == fusable.arity;
    eligible.then_some(fusable)
}

struct Program<'a> {
    subgraph: &'a Subgraph,
    registry: &'a OpRegistry,
    uses: &'a Uses,
    steps: Vec<String>,
    inputs: Vec<Endpoint>,
    members: Vec<NodeId>,
    /// Of members and constants, for traces.
    names: Vec<String>,
    /// The step that computes each member.
    step_of: std::collections::HashMap<NodeId, usize>,
}

impl<'a> Program<'a> {
    fn new(subgraph: &'a Subgraph, registry: &'a OpRegistry, uses: &'a Uses) -> Program<'a> {
        Program {
            subgraph,
            registry,
            uses,
            steps: Vec::new(),
            inputs: Vec::new(),
            members: Vec::new(),
            names: Vec::new(),
            step_of: std::collections::HashMap::new(),
        }
    }

    /// Writes the steps of a tree below `root`, operands before their users, without recursion: a chain
    /// may be thousands of nodes long.
    fn add(&mut self, root: NodeId) {
        self.collect_members(root);
        // Members were found from the root down; steps run from the leaves up.
        for i in (0..self.members.len()).rev() {
            let id = self.members[i];
            let node = self.subgraph.graph.node(id);
            let mut line = node.op_name().to_string();
            for &end in &node.inputs {
                line.push_str(&self.operand(end));
            }
            if let Some(attr) = fusable(node, self.registry).and_then(|f| f.attribute)
                && let Ok(value) = node.float(attr)
            {
                line.push_str(&format!(" c{}", value as f64));
            }
            if id != root {
                self.names.push(title(node));
            }
            self.step_of.insert(id, self.steps.len());
            self.steps.push(line);
        }
    }

    fn collect_members(&mut self, root: NodeId) {
        let graph = &self.subgraph.graph;
        let dtype = graph.node(root).output_types[0].dtype;
        self.members.push(root);
        let mut next = 0;
        while next < self.members.len() {
            let id = self.members[next];
            next += 1;
            for end in &graph.node(id).inputs {
                let candidate = end.node;
                let node = graph.node(candidate);
                let joins = self.members.len() < MAX_STEPS
                    && !self.members.contains(&candidate)
                    && node.controls.is_empty()
                    && node.output_types.first().is_some_and(|t| t.dtype == dtype)
                    && fusable(node, self.registry).is_some()
                    && self.uses.only_by(candidate, |c| self.members[..next].contains(&c));
                if joins {
                    self.members.push(candidate);
                }
            }
        }
    }

    fn operand(&mut self, end: Endpoint) -> String {
        if let Some(step) = self.step_of.get(&end.node) {
            return format!(" s{step}");
        }
        let source = self.subgraph.graph.node(end.node);
        if let Some(value) = scalar_constant(source) {
            let title = title(source);
            if !self.names.contains(&title) {
                self.names.push(title);
            }
            return format!(" c{value}");
        }
        let index = self.inputs.iter().position(|e| *e == end).unwrap_or_else(|| {
            self.inputs.push(end);
            self.inputs.len() - 1
        });
        format!(" i{index}")
    }
}

fn title(node: &Node) -> String {
    format!("{} = {}", node.name, node.op_name())
}

/// The finite value of a scalar constant; only rank 0 cannot change the result's shape.
fn scalar_constant(node: &Node) -> Option<f64> {
    let is_constant = node.op_name() == "Const" && node.controls.is_empty();
    let value: Tensor = is_constant.then(|| node.tensor("value").ok()).flatten()?;
    if value.rank() != 0 {
        return None;
    }
    let number = match value.dtype() {
        DataType::Float => value.to_scalar::<f32>().ok()? as f64,
        DataType::Double => value.to_scalar::<f64>().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}
