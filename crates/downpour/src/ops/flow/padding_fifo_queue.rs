//! `PaddingFIFOQueue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PaddingFIFOQueue() -> (handle)`.
///
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn padding_fifo_queue(graph: &Graph, component_types: &[DataType]) -> PaddingFIFOQueue {
    let mut node = NodeBuilder::in_graph(graph, "PaddingFIFOQueue");
    node.set("component_types", component_types.to_vec().into());
    PaddingFIFOQueue(node)
}

/// A `PaddingFIFOQueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PaddingFIFOQueue(NodeBuilder);

impl PaddingFIFOQueue {
    /// The attribute `shapes`; an empty list unless set.
    pub fn shapes(mut self, value: &[PartialShape]) -> PaddingFIFOQueue {
        self.0.set("shapes", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> PaddingFIFOQueue {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> PaddingFIFOQueue {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> PaddingFIFOQueue {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PaddingFIFOQueue {
        PaddingFIFOQueue(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
