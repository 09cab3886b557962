//! `Variable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Variable() -> (ref)`.
///
/// * `shape`: attribute, shape
/// * `dtype`: attribute, type
/// * gives `ref`: `dtype` (any type), a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn variable(graph: &Graph, shape: &PartialShape, dtype: DataType) -> Variable {
    let mut node = NodeBuilder::in_graph(graph, "Variable");
    node.set("shape", shape.clone().into());
    node.set("dtype", dtype.into());
    Variable(node)
}

/// A `Variable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Variable(NodeBuilder);

impl Variable {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Variable {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Variable {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Variable {
        Variable(self.0.name(name))
    }

    /// Adds the node and gives `ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
