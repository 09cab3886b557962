//! `QueueDequeueV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueDequeueV2(handle) -> (components)`.
///
/// * `handle`: resource
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_dequeue_v2(handle: &Output, component_types: &[DataType]) -> QueueDequeueV2 {
    let mut node = NodeBuilder::new("QueueDequeueV2").input(handle);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueV2(node)
}

/// A `QueueDequeueV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueV2(NodeBuilder);

impl QueueDequeueV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueV2 {
        QueueDequeueV2(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
