//! `BarrierClose`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BarrierClose(handle) -> ()`.
///
/// * `handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn barrier_close(handle: &Output) -> BarrierClose {
    let node = NodeBuilder::new("BarrierClose").input(handle);
    BarrierClose(node)
}

/// A `BarrierClose` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BarrierClose(NodeBuilder);

impl BarrierClose {
    /// The attribute `cancel_pending_enqueues`; `false` unless set.
    pub fn cancel_pending_enqueues(mut self, value: bool) -> BarrierClose {
        self.0.set("cancel_pending_enqueues", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BarrierClose {
        BarrierClose(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
