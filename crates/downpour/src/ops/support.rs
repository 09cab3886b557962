//! What the generated functions share.

pub(super) use downpour_graph::{AttrValue, Function, PartialShape};
pub(super) use downpour_tensor::{Bytes, DataType, Result, Status, Tensor};

pub(super) use crate::graph::Graph;
pub(super) use crate::node_builder::NodeBuilder;
pub(super) use crate::output::{Operation, Output};

/// A node without values about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ForOperation(pub(super) NodeBuilder);

/// A node with one value about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ForOutput(pub(super) NodeBuilder);

/// A node with several values about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ForOutputs(pub(super) NodeBuilder);

impl ForOperation {
    /// Names the node.
    pub fn name(self, name: &str) -> ForOperation {
        ForOperation(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}

impl ForOutput {
    /// Names the node.
    pub fn name(self, name: &str) -> ForOutput {
        ForOutput(self.0.name(name))
    }

    /// Adds the node and gives its value.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}

impl ForOutputs {
    /// Names the node.
    pub fn name(self, name: &str) -> ForOutputs {
        ForOutputs(self.0.name(name))
    }

    /// Adds the node and gives its values.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}

pub(super) fn text(value: &str) -> AttrValue {
    AttrValue::Str(Bytes::copy_from_slice(value.as_bytes()))
}

pub(super) fn texts(values: &[&str]) -> AttrValue {
    AttrValue::List(values.iter().map(|value| text(value)).collect())
}

/// The one value of a result that stands for one.
pub(super) fn only(values: Vec<Output>) -> Result<Output> {
    let missing = || Status::internal("a result that stands for one value has none");
    values.into_iter().next().ok_or_else(missing)
}
