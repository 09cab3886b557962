//! `CollectiveAssignGroupV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveAssignGroupV2(group_assignment, device_index, base_key) -> (group_size, group_key)`.
///
/// * `group_assignment`: int32
/// * `device_index`: int32
/// * `base_key`: int32
/// * gives `group_size`: int32
/// * gives `group_key`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_assign_group_v2(
    group_assignment: &Output,
    device_index: &Output,
    base_key: &Output,
) -> CollectiveAssignGroupV2 {
    let node = NodeBuilder::new("CollectiveAssignGroupV2")
        .input(group_assignment)
        .input(device_index)
        .input(base_key);
    CollectiveAssignGroupV2(node)
}

/// A `CollectiveAssignGroupV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveAssignGroupV2(NodeBuilder);

impl CollectiveAssignGroupV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveAssignGroupV2 {
        CollectiveAssignGroupV2(self.0.name(name))
    }

    /// Adds the node and gives (`group_size`, `group_key`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
