//! `QueueDequeueUpToV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueDequeueUpToV2(handle, n) -> (components)`.
///
/// * `handle`: resource
/// * `n`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_dequeue_up_to_v2(
    handle: &Output,
    n: &Output,
    component_types: &[DataType],
) -> QueueDequeueUpToV2 {
    let mut node = NodeBuilder::new("QueueDequeueUpToV2").input(handle).input(n);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueUpToV2(node)
}

/// A `QueueDequeueUpToV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueUpToV2(NodeBuilder);

impl QueueDequeueUpToV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueUpToV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueUpToV2 {
        QueueDequeueUpToV2(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
