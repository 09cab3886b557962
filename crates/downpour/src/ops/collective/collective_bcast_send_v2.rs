//! `CollectiveBcastSendV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveBcastSendV2(input, group_size, group_key, instance_key) -> (data)`.
///
/// * `input`: `T` (bool, float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_send_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
) -> CollectiveBcastSendV2 {
    let node = NodeBuilder::new("CollectiveBcastSendV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key);
    CollectiveBcastSendV2(node)
}

/// A `CollectiveBcastSendV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastSendV2(NodeBuilder);

impl CollectiveBcastSendV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastSendV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastSendV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastSendV2 {
        CollectiveBcastSendV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
