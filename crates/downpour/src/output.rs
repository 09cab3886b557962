//! Values and operations of a graph under construction.

mod methods;
mod operators;

use std::fmt;

use downpour_graph::{Endpoint, NodeId, PartialShape};
use downpour_tensor::{DataType, Result, Status, Tensor};

use crate::graph::Graph;

/// A value that a node computes: what operations take and give. Clones stand for the same value.
#[derive(Clone)]
pub struct Output {
    graph: Graph,
    end: Endpoint,
}

/// A node: something that can be run, with any number of values.
#[derive(Clone)]
pub struct Operation {
    graph: Graph,
    id: NodeId,
}

impl Output {
    pub(crate) fn new(graph: &Graph, end: Endpoint) -> Output {
        Output { graph: graph.clone(), end }
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        self.end
    }

    /// The graph this is a value of.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The node that computes it.
    pub fn op(&self) -> Operation {
        Operation::new(&self.graph, self.end.node)
    }

    /// `node:0`, as TensorFlow names values.
    pub fn name(&self) -> String {
        self.graph.lock().nodes.endpoint_name(self.end)
    }

    /// The type of its elements.
    pub fn dtype(&self) -> DataType {
        self.graph.lock().nodes.edge_type(self.end).dtype
    }

    /// What is known of its shape before running.
    pub fn shape(&self) -> PartialShape {
        self.graph.lock().facts.shape(self.end)
    }

    /// Its value, where that is known before running (a constant, the shape of something fully known).
    pub fn known_value(&self) -> Option<Tensor> {
        self.graph.lock().facts.value(self.end).cloned()
    }

    /// Says more of its shape than could be inferred; refused if that contradicts what is known.
    pub fn set_shape(&self, shape: impl Into<PartialShape>) -> Result<()> {
        let name = self.name();
        let narrowed = self.graph.lock().facts.narrow(self.end, &shape.into());
        narrowed.map_err(|e| e.context(name))
    }

    /// The rank, which must be known.
    pub(crate) fn known_rank(&self, for_what: &str) -> Result<usize> {
        self.shape().rank().ok_or_else(|| {
            Status::invalid_argument(format!(
                "{for_what} needs to know how many dimensions {} has; say it by set_shape",
                self.name()
            ))
        })
    }
}

impl Operation {
    pub(crate) fn new(graph: &Graph, id: NodeId) -> Operation {
        Operation { graph: graph.clone(), id }
    }

    pub(crate) fn id(&self) -> NodeId {
        self.id
    }

    /// The graph this is a node of.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The node's name.
    pub fn name(&self) -> String {
        self.graph.lock().nodes.node(self.id).name.clone()
    }

    /// The operation's type, as `MatMul`.
    pub fn op_type(&self) -> String {
        self.graph.lock().nodes.node(self.id).op_name().to_string()
    }

    /// The device it was asked to stand on; empty if none.
    pub fn device(&self) -> String {
        self.graph.lock().nodes.node(self.id).device.clone()
    }

    /// One of its values.
    pub fn output(&self, port: usize) -> Result<Output> {
        let mut outputs = self.outputs();
        if port >= outputs.len() {
            return Err(Status::invalid_argument(format!(
                "{} '{}' has {} outputs, and so no output {port}",
                self.op_type(),
                self.name(),
                outputs.len()
            )));
        }
        Ok(outputs.swap_remove(port))
    }

    /// All its values.
    pub fn outputs(&self) -> Vec<Output> {
        let count = self.graph.lock().nodes.node(self.id).output_types.len();
        let output = |port| Output::new(&self.graph, Endpoint { node: self.id, port });
        (0..count as u32).map(output).collect()
    }

    /// The values of the named result, which may stand for several.
    pub(crate) fn named_outputs(&self, name: &str) -> Result<Vec<Output>> {
        let range = self.graph.lock().nodes.node(self.id).output_range(name)?;
        let output = |port| Output::new(&self.graph, Endpoint { node: self.id, port: port as u32 });
        Ok(range.map(output).collect())
    }

    /// Its inputs.
    pub fn inputs(&self) -> Vec<Output> {
        let ends = self.graph.lock().nodes.node(self.id).inputs.clone();
        ends.into_iter().map(|end| Output::new(&self.graph, end)).collect()
    }
}

impl PartialEq for Output {
    fn eq(&self, other: &Output) -> bool {
        self.end == other.end && self.graph.is(&other.graph)
    }
}

impl Eq for Output {}

impl PartialEq for Operation {
    fn eq(&self, other: &Operation) -> bool {
        self.id == other.id && self.graph.is(&other.graph)
    }
}

impl Eq for Operation {}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Output({} {} {})", self.name(), self.dtype(), self.shape())
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({} '{}')", self.op_type(), self.name())
    }
}
