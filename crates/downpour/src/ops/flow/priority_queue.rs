//! `PriorityQueue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PriorityQueue() -> (handle)`.
///
/// * `shapes`: attribute, list(shape), at least 0 long
/// * gives `handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn priority_queue(graph: &Graph, shapes: &[PartialShape]) -> PriorityQueue {
    let mut node = NodeBuilder::in_graph(graph, "PriorityQueue");
    node.set("shapes", shapes.to_vec().into());
    PriorityQueue(node)
}

/// A `PriorityQueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PriorityQueue(NodeBuilder);

impl PriorityQueue {
    /// The attribute `component_types`; an empty list unless set.
    pub fn component_types(mut self, value: &[DataType]) -> PriorityQueue {
        self.0.set("component_types", value.to_vec().into());
        self
    }

    /// The attribute `capacity`; `-1` unless set.
    pub fn capacity(mut self, value: i64) -> PriorityQueue {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> PriorityQueue {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> PriorityQueue {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PriorityQueue {
        PriorityQueue(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
