//! `Placeholder`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Placeholder() -> (output)`.
///
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Has no gradient.
pub fn placeholder(graph: &Graph, dtype: DataType) -> Placeholder {
    let mut node = NodeBuilder::in_graph(graph, "Placeholder");
    node.set("dtype", dtype.into());
    Placeholder(node)
}

/// A `Placeholder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Placeholder(NodeBuilder);

impl Placeholder {
    /// The attribute `shape`; `<unknown>` unless set.
    pub fn shape(mut self, value: &PartialShape) -> Placeholder {
        self.0.set("shape", value.clone().into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Placeholder {
        Placeholder(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
