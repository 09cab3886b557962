//! What is known of values before running: shapes, and the values of shapes themselves.

use downpour_graph::{Endpoint, Graph, Node, NodeId, PartialShape, ShapeContext};
use downpour_tensor::{DataType, DtypeAndShape, ResourceHandle, Result, Status, Tensor};

/// Values longer than this are not followed.
const LONG: usize = 1024;

/// What is known of the outputs of one node.
struct NodeFacts {
    shapes: Vec<PartialShape>,
    /// The first output's value, where it is known.
    value: Option<Tensor>,
}

/// What is known, by node. Grows with the graph.
#[derive(Default)]
pub(crate) struct Facts(Vec<NodeFacts>);

impl Facts {
    pub fn shape(&self, end: Endpoint) -> PartialShape {
        let facts = self.0.get(end.node.index());
        facts.and_then(|f| f.shapes.get(end.port as usize)).cloned().unwrap_or_default()
    }

    /// The value of an endpoint that does not depend on what is fed.
    pub fn value(&self, end: Endpoint) -> Option<&Tensor> {
        self.0.get(end.node.index()).filter(|_| end.port == 0)?.value.as_ref()
    }

    /// Learns about a node that is about to be added; refused when its input shapes do not agree.
    pub fn learn(&mut self, node: &Node) -> Result<()> {
        let facts = self.infer(node)?;
        self.0.push(facts);
        Ok(())
    }

    /// Learns about the nodes that were added to the graph elsewhere. Loops refer forward, so what such
    /// a node gives may stay unknown, and a refusal is left to the run.
    pub fn catch_up(&mut self, graph: &Graph) {
        while self.0.len() < graph.len() {
            let node = graph.node(NodeId(self.0.len() as u32));
            let unknown = || vec![PartialShape::unknown(); node.output_types.len()];
            let facts =
                self.infer(node).unwrap_or_else(|_| NodeFacts { shapes: unknown(), value: None });
            self.0.push(facts);
        }
    }

    /// The nodes that have more outputs than when they were learned about; that much is noted.
    pub fn changed(&mut self, graph: &Graph) -> Vec<NodeId> {
        let mut changed = Vec::new();
        for (facts, (id, node)) in self.0.iter_mut().zip(graph.nodes()) {
            if facts.shapes.len() < node.output_types.len() {
                facts.shapes.resize(node.output_types.len(), PartialShape::unknown());
                changed.push(id);
            }
        }
        changed
    }

    /// Replaces what is known of a value's shape by something narrower.
    pub fn narrow(&mut self, end: Endpoint, shape: &PartialShape) -> Result<()> {
        let known = self.shape(end);
        let merged = known.merge(shape).ok_or_else(|| {
            Status::invalid_argument(format!(
                "a value of shape {known} cannot have the shape {shape}"
            ))
        })?;
        if let Some(slot) =
            self.0.get_mut(end.node.index()).and_then(|f| f.shapes.get_mut(end.port as usize))
        {
            *slot = merged;
        }
        Ok(())
    }

    fn infer(&self, node: &Node) -> Result<NodeFacts> {
        let inputs: Vec<PartialShape> = node.inputs.iter().map(|end| self.shape(*end)).collect();
        let constants: Vec<Option<Tensor>> =
            node.inputs.iter().map(|end| self.value(*end).cloned()).collect();
        let mut context = ShapeContext::new(node, &inputs, &constants);
        (node.op.shape)(&mut context).map_err(|e| located(e, node, &inputs))?;
        let value = known_value(node, &inputs, &constants);
        Ok(NodeFacts { shapes: context.into_outputs(), value })
    }
}

/// An error of a shape function always names the node and the shapes.
fn located(error: Status, node: &Node, inputs: &[PartialShape]) -> Status {
    if error.message().contains("with input shapes") {
        return error;
    }
    let shapes: Vec<String> = inputs.iter().map(ToString::to_string).collect();
    error.context(format!(
        "{} '{}' with input shapes: {}",
        node.op_name(),
        node.name,
        shapes.join(", ")
    ))
}

fn known_value(
    node: &Node,
    inputs: &[PartialShape],
    constants: &[Option<Tensor>],
) -> Option<Tensor> {
    match node.op_name() {
        "Const" => node.tensor("value").ok(),
        "VarHandleOp" => declared_handle(node),
        "Identity" | "StopGradient" => constants.first()?.clone(),
        "Shape" => {
            let dims = inputs.first()?.to_shape()?;
            integers(&dims.to_i64(), node.output_dtype(0), None)
        }
        "Rank" => integers(&[inputs.first()?.rank()? as i64], DataType::Int32, Some(())),
        "Size" => integers(&[inputs.first()?.elements()? as i64], node.output_dtype(0), Some(())),
        "Pack" | "ConcatV2" => {
            let joined = match node.op_name() {
                "Pack" => constants,
                _ => constants.split_last()?.1,
            };
            let mut all = Vec::new();
            for part in joined {
                let part = part.as_ref().filter(|t| t.rank() <= 1 && t.len() <= LONG)?;
                if node.op_name() == "Pack" && part.rank() != 0 {
                    return None;
                }
                all.extend(part.to_i64_vec().ok()?);
            }
            integers(&all, node.output_dtype(0), None)
        }
        "Cast" => {
            let from = constants.first()?.as_ref().filter(|t| t.rank() <= 1 && t.len() <= LONG)?;
            let scalar = (from.rank() == 0).then_some(());
            integers(&from.to_i64_vec().ok()?, node.output_dtype(0), scalar)
        }
        _ => None,
    }
}

fn integers(values: &[i64], dtype: DataType, scalar: Option<()>) -> Option<Tensor> {
    let vector = match dtype {
        DataType::Int64 => Tensor::vector(values),
        DataType::Int32 => {
            let narrow: Option<Vec<i32>> = values.iter().map(|v| i32::try_from(*v).ok()).collect();
            Tensor::vector(&narrow?)
        }
        _ => return None,
    };
    match scalar {
        Some(()) => vector.ok()?.into_shape([]).ok(),
        None => vector.ok(),
    }
}

/// A handle as the variable's declaration describes it: that is all shape functions ask of it.
fn declared_handle(node: &Node) -> Option<Tensor> {
    let shape = node.shape("shape").ok()?;
    let described = DtypeAndShape { dtype: node.dtype("dtype").ok()?, shape: shape.to_i64() };
    Some(Tensor::handle(ResourceHandle {
        name: node.name.clone(),
        dtypes_and_shapes: vec![described],
        ..ResourceHandle::default()
    }))
}
