//! `CollectiveGatherV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveGatherV2(input, group_size, group_key, instance_key, ordering_token) -> (data)`.
///
/// * `input`: `T` (float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `ordering_token`: `Nordering_token` values of resource
/// * gives `data`: `T` (float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_gather_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    ordering_token: &[Output],
) -> CollectiveGatherV2 {
    let node = NodeBuilder::new("CollectiveGatherV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .list(ordering_token);
    CollectiveGatherV2(node)
}

/// A `CollectiveGatherV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveGatherV2(NodeBuilder);

impl CollectiveGatherV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveGatherV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveGatherV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// The attribute `is_stateless`; `false` unless set.
    pub fn is_stateless(mut self, value: bool) -> CollectiveGatherV2 {
        self.0.set("is_stateless", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveGatherV2 {
        CollectiveGatherV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
