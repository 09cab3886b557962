//! `CollectiveBcastRecvV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveBcastRecvV2(group_size, group_key, instance_key, shape) -> (data)`.
///
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `shape`: `Tshape` (int32, int64)
/// * `T`: attribute, type, one of bool, float, half, double, int32, int64
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_recv_v2(
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    shape: &Output,
    t: DataType,
) -> CollectiveBcastRecvV2 {
    let mut node = NodeBuilder::new("CollectiveBcastRecvV2")
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .input(shape);
    node.set("T", t.into());
    CollectiveBcastRecvV2(node)
}

/// A `CollectiveBcastRecvV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastRecvV2(NodeBuilder);

impl CollectiveBcastRecvV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastRecvV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastRecvV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastRecvV2 {
        CollectiveBcastRecvV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
