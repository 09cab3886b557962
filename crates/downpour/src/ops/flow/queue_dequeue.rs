//! `QueueDequeue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueDequeue(handle) -> (components)`.
///
/// * `handle`: string, a reference
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn queue_dequeue(handle: &Output, component_types: &[DataType]) -> QueueDequeue {
    let mut node = NodeBuilder::new("QueueDequeue").input(handle);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeue(node)
}

/// A `QueueDequeue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeue(NodeBuilder);

impl QueueDequeue {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeue {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeue {
        QueueDequeue(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
