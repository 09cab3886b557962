//! `QueueClose`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn queue_close(handle: &Output) -> QueueClose {
    let node = NodeBuilder::new("QueueClose").input(handle);
    QueueClose(node)
}

/// A `QueueClose` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueClose(NodeBuilder);

impl QueueClose {
    /// The attribute `cancel_pending_enqueues`; `false` unless set.
    pub fn cancel_pending_enqueues(mut self, value: bool) -> QueueClose {
        self.0.set("cancel_pending_enqueues", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueClose {
        QueueClose(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
