//! `QueueEnqueueMany`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueEnqueueMany(handle, components) -> ()`.
///
/// * `handle`: string, a reference
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it.
pub fn queue_enqueue_many(handle: &Output, components: &[Output]) -> QueueEnqueueMany {
    let node = NodeBuilder::new("QueueEnqueueMany").input(handle).list(components);
    QueueEnqueueMany(node)
}

/// A `QueueEnqueueMany` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueueMany(NodeBuilder);

impl QueueEnqueueMany {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueueMany {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueueMany {
        QueueEnqueueMany(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
