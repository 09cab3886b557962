//! `VariableV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `VariableV2() -> (ref)`.
///
/// * `shape`: attribute, shape
/// * `dtype`: attribute, type
/// * gives `ref`: `dtype` (any type), a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn variable_v2(graph: &Graph, shape: &PartialShape, dtype: DataType) -> VariableV2 {
    let mut node = NodeBuilder::in_graph(graph, "VariableV2");
    node.set("shape", shape.clone().into());
    node.set("dtype", dtype.into());
    VariableV2(node)
}

/// A `VariableV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct VariableV2(NodeBuilder);

impl VariableV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> VariableV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> VariableV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> VariableV2 {
        VariableV2(self.0.name(name))
    }

    /// Adds the node and gives `ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
