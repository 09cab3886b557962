//! `QueueEnqueueManyV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `QueueEnqueueManyV2(handle, components) -> ()`.
///
/// * `handle`: resource
/// * `components`: several, of types `Tcomponents`
///
/// Gradients do not flow through it. Has state or effects.
pub fn queue_enqueue_many_v2(handle: &Output, components: &[Output]) -> QueueEnqueueManyV2 {
    let node = NodeBuilder::new("QueueEnqueueManyV2").input(handle).list(components);
    QueueEnqueueManyV2(node)
}

/// A `QueueEnqueueManyV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct QueueEnqueueManyV2(NodeBuilder);

impl QueueEnqueueManyV2 {
    /// The attribute `timeout_ms`; `-1` unless set.
    pub fn timeout_ms(mut self, value: i64) -> QueueEnqueueManyV2 {
        self.0.set("timeout_ms", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> QueueEnqueueManyV2 {
        QueueEnqueueManyV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
