//! `QueueDequeueUpTo`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueDequeueUpTo(handle, n) -> (components)`.
///
/// * `handle`: string, a reference
/// * `n`: int32
/// * `component_types`: attribute, list(type), at least 1 long
/// * gives `components`: several, of types `component_types`
///
/// Gradients do not flow through it.
pub fn queue_dequeue_up_to(
    handle: &Output,
    n: &Output,
    component_types: &[DataType],
) -> QueueDequeueUpTo {
    let mut node = NodeBuilder::new("QueueDequeueUpTo").input(handle).input(n);
    node.set("component_types", component_types.to_vec().into());
    QueueDequeueUpTo(node)
}

/// A `QueueDequeueUpTo` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueDequeueUpTo(NodeBuilder);

impl QueueDequeueUpTo {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueDequeueUpTo {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueDequeueUpTo {
        QueueDequeueUpTo(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
