//! `QueueCloseV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueCloseV2(handle) -> ()`.
///
/// * `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_close_v2(handle: &Output) -> QueueCloseV2 {
    let node = NodeBuilder::new("QueueCloseV2").input(handle);
    QueueCloseV2(node)
}

/// A `QueueCloseV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueCloseV2(NodeBuilder);

impl QueueCloseV2 {
    /// The attribute `cancel_pending_enqueues`; `false` unless set.
    pub fn cancel_pending_enqueues(mut self, value: bool) -> QueueCloseV2 {
        self.0.set("cancel_pending_enqueues", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueCloseV2 {
        QueueCloseV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
