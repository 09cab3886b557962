//! `TemporaryVariable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TemporaryVariable() -> (ref)`.
///
/// * `shape`: attribute, shape
/// * `dtype`: attribute, type
/// * gives `ref`: `dtype` (any type), a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn temporary_variable(
    graph: &Graph,
    shape: &PartialShape,
    dtype: DataType,
) -> TemporaryVariable {
    let mut node = NodeBuilder::in_graph(graph, "TemporaryVariable");
    node.set("shape", shape.clone().into());
    node.set("dtype", dtype.into());
    TemporaryVariable(node)
}

/// A `TemporaryVariable` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TemporaryVariable(NodeBuilder);

impl TemporaryVariable {
    /// The attribute `var_name`; `""` unless set.
    pub fn var_name(mut self, value: &str) -> TemporaryVariable {
        self.0.set("var_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TemporaryVariable {
        TemporaryVariable(self.0.name(name))
    }

    /// Adds the node and gives `ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
