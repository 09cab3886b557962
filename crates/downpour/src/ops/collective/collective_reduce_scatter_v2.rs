//! `CollectiveReduceScatterV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveReduceScatterV2(input, group_size, group_key, instance_key, ordering_token) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `group_size`: int32
/// * `group_key`: int32
/// * `instance_key`: int32
/// * `ordering_token`: `Nordering_token` values of resource
/// * `merge_op`: attribute, string, one of `"Min"`, `"Max"`, `"Mul"`, `"Add"`
/// * `final_op`: attribute, string, one of `"Id"`, `"Div"`
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_reduce_scatter_v2(
    input: &Output,
    group_size: &Output,
    group_key: &Output,
    instance_key: &Output,
    ordering_token: &[Output],
    merge_op: &str,
    final_op: &str,
) -> CollectiveReduceScatterV2 {
    let mut node = NodeBuilder::new("CollectiveReduceScatterV2")
        .input(input)
        .input(group_size)
        .input(group_key)
        .input(instance_key)
        .list(ordering_token);
    node.set("merge_op", text(merge_op));
    node.set("final_op", text(final_op));
    CollectiveReduceScatterV2(node)
}

/// A `CollectiveReduceScatterV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveReduceScatterV2(NodeBuilder);

impl CollectiveReduceScatterV2 {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveReduceScatterV2 {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveReduceScatterV2 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// The attribute `is_stateless`; `false` unless set.
    pub fn is_stateless(mut self, value: bool) -> CollectiveReduceScatterV2 {
        self.0.set("is_stateless", value.into());
        self
    }

    /// The attribute `max_subdivs_per_device`; `-1` unless set.
    pub fn max_subdivs_per_device(mut self, value: i64) -> CollectiveReduceScatterV2 {
        self.0.set("max_subdivs_per_device", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveReduceScatterV2 {
        CollectiveReduceScatterV2(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
