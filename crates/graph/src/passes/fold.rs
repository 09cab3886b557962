//! Constant folding: what depends only on constants is computed once, when the plan is made.

use std::sync::Arc;

use downpour_tensor::{Result, Tensor};

use super::is_pure;
use super::prune::Subgraph;
use crate::attr::Attrs;
use crate::node::{Endpoint, Node, NodeId};
use crate::partial_shape::PartialShape;
use crate::registry::OpRegistry;
use crate::shape_inference::ShapeContext;

/// A folded value is at most this large: a graph must not grow by what a Fill would make.
const MAX_BYTES: usize = 1 << 20;

/// Computes a node from its inputs' values.
pub type Evaluate<'a> = &'a dyn Fn(&Arc<Node>, Vec<Tensor>) -> Result<Vec<Tensor>>;

/// Replaces foldable nodes by constants, in topological order. A node whose evaluation fails stays
/// as it is: it fails when, and only if, a step runs it.
pub fn fold_constants(
    subgraph: &mut Subgraph,
    order: &[NodeId],
    registry: &OpRegistry,
    evaluate: Evaluate<'_>,
) -> Result<()> {
    let Some(constant) = registry.get("Const").cloned() else { return Ok(()) };
    let mut known: Vec<Option<Vec<Tensor>>> = vec![None; subgraph.graph.len()];
    let mut folded: Vec<NodeId> = Vec::new();
    for &id in order {
        let node = subgraph.graph.node(id);
        if !node.controls.is_empty() {
            continue;
        }
        if node.op_name() == "Const" {
            known[id.index()] = Some(vec![node.tensor("value")?]);
            continue;
        }
        if node.inputs.is_empty() || !is_pure(node) {
            continue;
        }
        let inputs: Option<Vec<Tensor>> = node
            .inputs
            .iter()
            .map(|end| known[end.node.index()].as_ref()?.get(end.port as usize).cloned())
            .collect();
        let Some(inputs) = inputs else { continue };
        if !is_small(node, &inputs) {
            continue;
        }
        if let Ok(outputs) = evaluate(&Arc::new(node.clone()), inputs)
            && outputs.len() == node.output_types.len()
            && outputs.iter().all(|t| t.dtype().is_plain() && t.byte_len() <= MAX_BYTES)
        {
            known[id.index()] = Some(outputs);
            folded.push(id);
        }
    }
    replace(subgraph, &folded, &known, &constant)
}

/// True when the shape function promises results small enough to keep.
fn is_small(node: &Node, inputs: &[Tensor]) -> bool {
    let shapes: Vec<PartialShape> = inputs.iter().map(|t| t.shape().into()).collect();
    let constants: Vec<Option<Tensor>> = inputs.iter().cloned().map(Some).collect();
    let mut cx = ShapeContext::new(node, &shapes, &constants);
    if (node.op.shape)(&mut cx).is_err() {
        return false;
    }
    let mut bytes = 0usize;
    for (shape, ty) in cx.into_outputs().iter().zip(&node.output_types) {
        match shape.elements().and_then(|n| n.checked_mul(ty.dtype.size().max(1))) {
            Some(more) => bytes = bytes.saturating_add(more),
            None => return false,
        }
    }
    bytes <= MAX_BYTES
}

fn replace(
    subgraph: &mut Subgraph,
    folded: &[NodeId],
    known: &[Option<Vec<Tensor>>],
    constant: &Arc<crate::registry::OpSpec>,
) -> Result<()> {
    let mut places: Vec<Option<Vec<NodeId>>> = vec![None; known.len()];
    for &id in folded {
        let Some(values) = &known[id.index()] else { continue };
        let node = subgraph.graph.node(id).clone();
        let mut ids = Vec::with_capacity(values.len());
        for (port, value) in values.iter().enumerate() {
            let attrs = Attrs::new().with("dtype", value.dtype()).with("value", value.clone());
            ids.push(subgraph.graph.push(Node {
                name: format!("{}/folded_{port}", node.name),
                op: constant.clone(),
                device: node.device.clone(),
                attrs,
                inputs: Vec::new(),
                controls: Vec::new(),
                input_types: Vec::new(),
                output_types: vec![node.output_types[port]],
            })?);
        }
        places[id.index()] = Some(ids);
    }
    let moved = |end: &mut Endpoint| {
        if let Some(Some(ids)) = places.get(end.node.index()) {
            *end = Endpoint::from(ids[end.port as usize]);
        }
    };
    for id in subgraph.graph.ids() {
        subgraph.graph.node_mut(id).inputs.iter_mut().for_each(moved);
    }
    subgraph.fetches.iter_mut().for_each(moved);
    Ok(())
}
