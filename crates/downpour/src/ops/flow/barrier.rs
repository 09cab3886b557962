//! `Barrier`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Barrier() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn barrier(graph: &Graph, component_types: &[DataType]) -> Barrier {
    let mut node = NodeBuilder::in_graph(graph, "Barrier");
    node.set("component_types", component_types.to_vec().into());
    Barrier(node)
}

/// A `Barrier` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Barrier(NodeBuilder);

impl Barrier {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> Barrier {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> Barrier {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> Barrier {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> Barrier {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Barrier {
        Barrier(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
