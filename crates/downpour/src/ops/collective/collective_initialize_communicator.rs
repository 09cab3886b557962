//! `CollectiveInitializeCommunicator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveInitializeCommunicator(group_key, rank, group_size) -> (communicator)`.
///
/// * `group_key`: int32
/// * `rank`: int32
/// * `group_size`: int32
/// * gives `communicator`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_initialize_communicator(
    group_key: &Output,
    rank: &Output,
    group_size: &Output,
) -> CollectiveInitializeCommunicator {
    let node = NodeBuilder::new("CollectiveInitializeCommunicator")
        .input(group_key)
        .input(rank)
        .input(group_size);
    CollectiveInitializeCommunicator(node)
}

/// A `CollectiveInitializeCommunicator` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveInitializeCommunicator(NodeBuilder);

impl CollectiveInitializeCommunicator {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveInitializeCommunicator {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveInitializeCommunicator {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveInitializeCommunicator {
        CollectiveInitializeCommunicator(self.0.name(name))
    }

    /// Adds the node and gives `communicator`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
