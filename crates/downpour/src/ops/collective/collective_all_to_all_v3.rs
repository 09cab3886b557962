//! `CollectiveAllToAllV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveAllToAllV3(input, communicator, group_assignment) -> (data)`.
///
/// * `input`: `T` (bfloat16, float, half, double, int32, int64)
/// * `communicator`: resource
/// * `group_assignment`: int32
/// * gives `data`: `T` (bfloat16, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_all_to_all_v3(
    input: &Output,
    communicator: &Output,
    group_assignment: &Output,
) -> CollectiveAllToAllV3 {
    let node = NodeBuilder::new("CollectiveAllToAllV3")
        .input(input)
        .input(communicator)
        .input(group_assignment);
    CollectiveAllToAllV3(node)
}

/// A `CollectiveAllToAllV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveAllToAllV3(NodeBuilder);

impl CollectiveAllToAllV3 {
    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveAllToAllV3 {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveAllToAllV3 {
        CollectiveAllToAllV3(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
