//! A matrix product or convolution with its bias, and the activation after it, become one node.

use std::sync::Arc;

use downpour_tensor::{DataType, Result};

use super::consumers::Uses;
use super::prune::Subgraph;
use crate::attr::Attrs;
use crate::node::{EdgeType, Node, NodeId};
use crate::registry::{OpRegistry, OpSpec};

/// Fuses BiasAdd into the product before it, and an activation into both. Nodes in between are left
/// for `sweep`. `order` is a topological order.
pub fn fuse_bias(subgraph: &mut Subgraph, order: &[NodeId], registry: &OpRegistry) -> Result<()> {
    let uses = Uses::of(subgraph);
    for &id in order {
        if subgraph.graph.node(id).op_name() != "BiasAdd" {
            continue;
        }
        let Some(fused) = with_bias(subgraph, &uses, id, registry) else { continue };
        *subgraph.graph.node_mut(id) = fused;
    }
    for &id in order {
        let node = subgraph.graph.node(id);
        if !matches!(node.op_name(), "Relu" | "Relu6" | "Elu") || node.inputs.len() != 1 {
            continue;
        }
        let source = node.inputs[0].node;
        let before = subgraph.graph.node(source);
        let is_fused = matches!(before.op_name(), "_FusedMatMul" | "_FusedConv2D")
            && before.strings("fused_ops").is_ok_and(|ops| ops.len() == 1);
        if !is_fused || !node.controls.is_empty() || !uses.only_by(source, |c| c == id) {
            continue;
        }
        let mut fused = before.clone();
        fused.attrs.set("fused_ops", vec!["BiasAdd".to_string(), node.op_name().to_string()]);
        fused.name = node.name.clone();
        *subgraph.graph.node_mut(id) = fused;
        rename_absorbed(subgraph, source);
    }
    Ok(())
}

/// The absorbed node's name is free for nobody else: it is swept away, but until then names differ.
fn rename_absorbed(subgraph: &mut Subgraph, id: NodeId) {
    let node = subgraph.graph.node_mut(id);
    node.name.push_str("/absorbed");
}

fn with_bias(subgraph: &Subgraph, uses: &Uses, id: NodeId, registry: &OpRegistry) -> Option<Node> {
    let graph = &subgraph.graph;
    let node = graph.node(id);
    let source = node.inputs[0].node;
    let product = graph.node(source);
    let fits = node.controls.is_empty()
        && product.controls.is_empty()
        && uses.only_by(source, |c| c == id)
        && node.string("data_format").is_ok_and(|f| f == "NHWC");
    if !fits {
        return None;
    }
    let dtype = product.output_types[0].dtype;
    let (name, allowed): (&str, &[DataType]) = match product.op_name() {
        "MatMul" => ("_FusedMatMul", &[DataType::Float, DataType::Half, DataType::BFloat16]),
        "Conv2D" => ("_FusedConv2D", &[DataType::Float, DataType::Half]),
        _ => return None,
    };
    let spec: Arc<OpSpec> = registry.get(name).cloned()?;
    if !allowed.contains(&dtype) {
        return None;
    }
    let mut attrs = Attrs::new().with("fused_ops", vec!["BiasAdd".to_string()]);
    attrs.set("num_args", 1i64);
    attrs.set("TArgs", vec![dtype]);
    for (key, value) in &product.attrs.0 {
        attrs.0.insert(key.clone(), value.clone());
    }
    attrs.0.retain(|key, _| spec.def.attr(key).is_some());
    for attr in &spec.def.attrs {
        if let (None, Some(default)) = (attrs.get(&attr.name), &attr.default) {
            attrs.set(&attr.name, default.clone());
        }
    }
    let mut inputs = product.inputs.clone();
    inputs.push(node.inputs[1]);
    Some(Node {
        name: node.name.clone(),
        op: spec,
        device: node.device.clone(),
        attrs,
        input_types: vec![EdgeType { dtype, is_ref: false }; inputs.len()],
        inputs,
        controls: Vec::new(),
        output_types: node.output_types.clone(),
    })
}
