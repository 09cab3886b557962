//! Variables: values that stay from step to step and that training changes.

mod builder;
mod collections;
mod id_table;

use std::fmt;
use std::sync::Arc;

use downpour_graph::Endpoint;
use downpour_graph::NodeId;
use downpour_tensor::{DataType, Result, Shape, Status};

use crate::graph::Graph;
use crate::node_builder::NodeBuilder;
use crate::output::{Operation, Output};
pub use builder::VariableBuilder;
pub(crate) use collections::Collections;
pub(crate) use id_table::IdTable;

/// What is known of a variable, without its graph (which itself lists its variables).
#[derive(Debug)]
pub(crate) struct Record {
    pub name: String,
    pub dtype: DataType,
    pub shape: Shape,
    pub trainable: bool,
    pub local: bool,
    pub handle: Endpoint,
    pub initial_value: Endpoint,
    pub initializer: NodeId,
    pub is_initialized: Endpoint,
    pub value: Endpoint,
}

/// A resource variable, as `tf.Variable` makes it. Clones stand for the same variable.
#[derive(Clone)]
pub struct Variable {
    graph: Graph,
    record: Arc<Record>,
}

impl Variable {
    pub(crate) fn new(graph: &Graph, record: Arc<Record>) -> Variable {
        Variable { graph: graph.clone(), record }
    }

    fn output(&self, end: Endpoint) -> Output {
        Output::new(&self.graph, end)
    }

    /// The graph it belongs to.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Its name, also in checkpoints.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// The type of its elements.
    pub fn dtype(&self) -> DataType {
        self.record.dtype
    }

    /// Its shape.
    pub fn shape(&self) -> &Shape {
        &self.record.shape
    }

    /// True when optimizers change it unless told otherwise.
    pub fn trainable(&self) -> bool {
        self.record.trainable
    }

    /// True for a variable of one task, which checkpoints leave out.
    pub fn is_local(&self) -> bool {
        self.record.local
    }

    /// The device it was asked to stand on; empty if none.
    pub fn device(&self) -> String {
        self.handle().op().device()
    }

    /// The handle: what operations on the variable take, and what to differentiate by.
    pub fn handle(&self) -> Output {
        self.output(self.record.handle)
    }

    /// Its value at some moment of the step: read once, whoever asks. Where it must be read before or
    /// after something else in the same step, use `read` under `control_dependencies`.
    pub fn value(&self) -> Output {
        self.output(self.record.value)
    }

    /// The value it starts with.
    pub fn initial_value(&self) -> Output {
        self.output(self.record.initial_value)
    }

    /// The operation that gives it its first value.
    pub fn initializer(&self) -> Operation {
        Operation::new(&self.graph, self.record.initializer)
    }

    /// Whether it has a value.
    pub fn is_initialized(&self) -> Output {
        self.output(self.record.is_initialized)
    }

    /// Another read, under the control dependencies that hold now.
    pub fn read(&self) -> Result<Output> {
        let _beside = self.graph.colocate_with(&self.handle().op())?;
        let node = NodeBuilder::new("ReadVariableOp").input(&self.handle());
        node.attr("dtype", self.dtype()).output()
    }

    /// Rows of it by number, without reading all of it; their gradient is rows too.
    pub fn gather(&self, indices: &Output) -> Result<Output> {
        let _beside = self.graph.colocate_with(&self.handle().op())?;
        let node = NodeBuilder::new("ResourceGather").input(&self.handle()).input(indices);
        node.attr("dtype", self.dtype()).output()
    }

    /// Gives it a value.
    pub fn assign(&self, value: &Output) -> Result<Operation> {
        self.change("AssignVariableOp", value)
    }

    /// Adds to it.
    pub fn assign_add(&self, value: &Output) -> Result<Operation> {
        self.change("AssignAddVariableOp", value)
    }

    /// Subtracts from it.
    pub fn assign_sub(&self, value: &Output) -> Result<Operation> {
        self.change("AssignSubVariableOp", value)
    }

    fn change(&self, op: &'static str, value: &Output) -> Result<Operation> {
        let shape = value.shape();
        if value.dtype() != self.dtype() || !shape.allows(self.shape()) {
            return Err(Status::invalid_argument(format!(
                "{op}: the variable '{}' is {} of shape {}, and {} is {} of shape {shape}",
                self.name(),
                self.dtype(),
                self.shape(),
                value.name(),
                value.dtype()
            )));
        }
        let _beside = self.graph.colocate_with(&self.handle().op())?;
        NodeBuilder::new(op).input(&self.handle()).input(value).operation()
    }
}

impl PartialEq for Variable {
    fn eq(&self, other: &Variable) -> bool {
        Arc::ptr_eq(&self.record, &other.record)
    }
}

impl Eq for Variable {}

impl fmt::Debug for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Variable('{}' {} {})", self.name(), self.dtype(), self.shape())
    }
}
