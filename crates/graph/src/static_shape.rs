//! What can be said of one value's shape before running, by asking the nodes behind it.

use std::collections::HashMap;

use downpour_tensor::Tensor;

use crate::graph::Graph;
use crate::node::{Endpoint, NodeId};
use crate::partial_shape::PartialShape;
use crate::shape_inference::ShapeContext;

/// Chains longer than this are not followed.
const FAR: usize = 200;

/// The shape of a value as far as shape functions tell it; nothing where they refuse.
pub(crate) fn static_shape(graph: &Graph, end: Endpoint) -> PartialShape {
    StaticShapes::new(graph).of(end)
}

/// The shapes of many values of one graph, each found once.
pub(crate) struct StaticShapes<'a> {
    graph: &'a Graph,
    known: HashMap<NodeId, Vec<PartialShape>>,
}

impl<'a> StaticShapes<'a> {
    pub fn new(graph: &'a Graph) -> StaticShapes<'a> {
        StaticShapes { graph, known: HashMap::new() }
    }

    pub fn of(&mut self, end: Endpoint) -> PartialShape {
        shape_of(self.graph, end, FAR, &mut self.known)
    }
}

fn shape_of(
    graph: &Graph,
    end: Endpoint,
    distance: usize,
    known: &mut HashMap<NodeId, Vec<PartialShape>>,
) -> PartialShape {
    if !known.contains_key(&end.node) {
        // A loop that leads back here finds this and goes on without knowing.
        known.insert(end.node, Vec::new());
        let shapes = if distance == 0 { None } else { outputs(graph, end.node, distance, known) };
        known.insert(end.node, shapes.unwrap_or_default());
    }
    known[&end.node].get(end.port as usize).cloned().unwrap_or_default()
}

fn outputs(
    graph: &Graph,
    id: NodeId,
    distance: usize,
    known: &mut HashMap<NodeId, Vec<PartialShape>>,
) -> Option<Vec<PartialShape>> {
    let node = graph.node(id);
    let constants: Vec<Option<Tensor>> =
        node.inputs.iter().map(|end| constant_value(graph, *end)).collect();
    let inputs: Vec<PartialShape> =
        node.inputs.iter().map(|end| shape_of(graph, *end, distance - 1, known)).collect();
    let mut cx = ShapeContext::new(node, &inputs, &constants);
    (node.op.shape)(&mut cx).ok()?;
    Some(cx.into_outputs())
}

/// The value of an endpoint that is the output of a Const node.
pub(crate) fn constant_value(graph: &Graph, end: Endpoint) -> Option<Tensor> {
    let node = graph.node(end.node);
    if node.op_name() == "Const" { node.tensor("value").ok() } else { None }
}
