//! `CollectiveReduce`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveReduce(input) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `group_size`: attribute, int
/// * `group_key`: attribute, int
/// * `instance_key`: attribute, int
/// * `merge_op`: attribute, string, one of `"Min"`, `"Max"`, `"Mul"`, `"Add"`
/// * `final_op`: attribute, string, one of `"Id"`, `"Div"`
/// * `subdiv_offsets`: attribute, list(int)
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_reduce(
    input: &Output,
    group_size: i64,
    group_key: i64,
    instance_key: i64,
    merge_op: &str,
    final_op: &str,
    subdiv_offsets: &[i64],
) -> CollectiveReduce {
    let mut node = NodeBuilder::new("CollectiveReduce").input(input);
    node.set("group_size", group_size.into());
    node.set("group_key", group_key.into());
    node.set("instance_key", instance_key.into());
    node.set("merge_op", text(merge_op));
    node.set("final_op", text(final_op));
    node.set("subdiv_offsets", subdiv_offsets.to_vec().into());
    CollectiveReduce(node)
}

/// A `CollectiveReduce` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveReduce(NodeBuilder);

impl CollectiveReduce {
    /// The attribute `wait_for`; an empty list unless set.
    pub fn wait_for(mut self, value: &[i64]) -> CollectiveReduce {
        self.0.set("wait_for", value.to_vec().into());
        self
    }

    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveReduce {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveReduce {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveReduce {
        CollectiveReduce(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
