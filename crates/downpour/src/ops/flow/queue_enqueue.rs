//! `QueueEnqueue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueEnqueue(handle, components) -> ()`.
///
/// * `handle`: string, a reference
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it.
pub fn queue_enqueue(handle: &Output, components: &[Output]) -> QueueEnqueue {
    let node = NodeBuilder::new("QueueEnqueue").input(handle).list(components);
    QueueEnqueue(node)
}

/// A `QueueEnqueue` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueue(NodeBuilder);

impl QueueEnqueue {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueue {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueue {
        QueueEnqueue(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
