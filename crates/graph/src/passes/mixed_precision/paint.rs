//! Which nodes compute in 16 bits.
//!
//! The rules are those of TensorFlow's pass, in their order. Each is a walk over the edges that carry
//! numbers from one listed node to another:
//!
//! 1. Allowed nodes are chosen.
//! 2. What a denied node's values flow through stays float32: inferred nodes, and clear nodes on the way
//!    to further inferred or denied ones. Allowed nodes end the walk.
//! 3. Inferred and clear nodes between two allowed ones are chosen.
//! 4. Clear nodes that are connected with chosen ones by clear nodes are chosen: the cast moves to where
//!    numbers matter.

use std::collections::VecDeque;

use downpour_tensor::{DataType, Result};

use super::MixedPrecision;
use super::lists::{Numerics, type_attribute};
use crate::frames;
use crate::graph::Graph;
use crate::node::{EdgeType, Node, NodeId};
use crate::op_def::{ArgDef, ArgType};
use crate::types::arg_types;

const FLOAT: EdgeType = EdgeType { dtype: DataType::Float, is_ref: false };

/// A chosen node as it will be, still with its old inputs and name.
pub(super) struct Painted {
    pub id: NodeId,
    pub node: Node,
    /// Which inputs and outputs change their type.
    pub inputs: Vec<bool>,
    pub outputs: Vec<bool>,
}

/// The chosen nodes in topological order.
pub(super) fn paint(graph: &Graph, wanted: &MixedPrecision<'_>) -> Result<Vec<Painted>> {
    let order = frames::topological_order(graph)?;
    let frames = frames::assign(graph, &order)?;
    let mut listed: Vec<Option<(Numerics, Painted)>> = (0..graph.len()).map(|_| None).collect();
    for &id in &order {
        // A loop's body is left alone, and so is what brings values in and out.
        if frames.of_node[id.index()] == 0 && frames.of_output(id) == 0 {
            listed[id.index()] = candidate(graph, id, wanted);
        }
    }
    let walks = Walks::over(graph, &listed);
    let chosen = walks.chosen();
    let take = |id: NodeId| listed[id.index()].take().map(|(_, painted)| painted);
    Ok(order.into_iter().filter(|id| chosen[id.index()]).filter_map(take).collect())
}

/// A node that is on a list and could change (or is denied).
fn candidate(
    graph: &Graph,
    id: NodeId,
    wanted: &MixedPrecision<'_>,
) -> Option<(Numerics, Painted)> {
    let node = graph.node(id);
    let numerics = wanted.lists.of(node.op_name())?;
    let attribute = type_attribute(node.op_name());
    let references = node.input_types.iter().chain(&node.output_types).any(|t| t.is_ref);
    if references || node.dtype(attribute) != Ok(DataType::Float) {
        return None;
    }
    let inputs = typed_by(&node.op.def.inputs, node, attribute)?;
    let outputs = typed_by(&node.op.def.outputs, node, attribute)?;
    let mut changed = node.clone();
    if numerics != Numerics::Deny {
        let allowed = &node.op.def.attr(attribute)?.allowed;
        if node.op.def.is_stateful
            || !(allowed.is_empty() || allowed.contains(&wanted.compute.into()))
        {
            return None;
        }
        changed.attrs.set(attribute, wanted.compute);
        changed.input_types = arg_types(&node.op.def.inputs, &changed.attrs).ok()?;
        changed.output_types = arg_types(&node.op.def.outputs, &changed.attrs).ok()?;
        if !(wanted.supports)(&changed) {
            return None;
        }
    }
    Some((numerics, Painted { id, node: changed, inputs, outputs }))
}

/// For each tensor of some arguments, whether its type is the value of this attribute.
fn typed_by(args: &[ArgDef], node: &Node, attribute: &str) -> Option<Vec<bool>> {
    let mut typed = Vec::new();
    for arg in args {
        let len = crate::node::arg_len(arg, &node.attrs).ok()?;
        let own = matches!(&arg.ty, ArgType::Attr(attr) if attr == attribute);
        typed.extend(std::iter::repeat_n(own, len));
    }
    Some(typed)
}

/// Edges between listed nodes, both ways.
struct Walks {
    numerics: Vec<Option<Numerics>>,
    before: Vec<Vec<NodeId>>,
    after: Vec<Vec<NodeId>>,
}

impl Walks {
    fn over(graph: &Graph, listed: &[Option<(Numerics, Painted)>]) -> Walks {
        let mut before = vec![Vec::new(); graph.len()];
        let mut after = vec![Vec::new(); graph.len()];
        for (id, entry) in graph.ids().zip(listed) {
            let Some((_, painted)) = entry else { continue };
            let inputs = graph.node(id).inputs.iter().zip(&painted.inputs);
            for (end, _) in inputs.filter(|(_, typed)| **typed) {
                let Some((_, source)) = &listed[end.node.index()] else { continue };
                if source.outputs.get(end.port as usize) == Some(&true)
                    && graph.edge_type(*end) == FLOAT
                {
                    before[id.index()].push(end.node);
                    after[end.node.index()].push(id);
                }
            }
        }
        let numerics = listed.iter().map(|entry| entry.as_ref().map(|(n, _)| *n)).collect();
        Walks { numerics, before, after }
    }

    fn is(&self, id: NodeId, numerics: Numerics) -> bool {
        self.numerics[id.index()] == Some(numerics)
    }

    fn all(&self, wanted: &[Numerics]) -> Vec<NodeId> {
        let ids = (0..self.numerics.len() as u32).map(NodeId);
        ids.filter(|id| wanted.iter().any(|numerics| self.is(*id, *numerics))).collect()
    }

    /// All nodes that are reached from `start` by these edges through nodes that `enters` accepts.
    fn reach(
        &self,
        edges: &[&[Vec<NodeId>]],
        start: Vec<NodeId>,
        enters: impl Fn(NodeId) -> bool,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.numerics.len()];
        start.iter().for_each(|id| reached[id.index()] = true);
        let mut queue = VecDeque::from(start);
        while let Some(id) = queue.pop_front() {
            for &next in edges.iter().flat_map(|edges| &edges[id.index()]) {
                if !reached[next.index()] && enters(next) {
                    reached[next.index()] = true;
                    queue.push_back(next);
                }
            }
        }
        reached
    }

    fn chosen(&self) -> Vec<bool> {
        use Numerics::{Allow, Clear, Deny, Infer};
        let (before, after) = (self.before.as_slice(), self.after.as_slice());
        let matters = self.reach(&[before], self.all(&[Deny, Infer]), |id| self.is(id, Clear));
        let denied = self.reach(&[after], self.all(&[Deny]), |id| {
            self.is(id, Infer) || self.is(id, Clear) && matters[id.index()]
        });
        let free = |id: NodeId| {
            !denied[id.index()] && (self.is(id, Infer) || self.is(id, Clear) || self.is(id, Allow))
        };
        let down = self.reach(&[after], self.all(&[Allow]), free);
        let up = self.reach(&[before], self.all(&[Allow]), free);
        let ids = (0..self.numerics.len() as u32).map(NodeId);
        let between = ids.filter(|id| down[id.index()] && up[id.index()]).collect();
        self.reach(&[before, after], between, |id| self.is(id, Clear) && !denied[id.index()])
    }
}
