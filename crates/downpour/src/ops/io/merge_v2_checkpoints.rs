//! `MergeV2Checkpoints`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MergeV2Checkpoints(checkpoint_prefixes, destination_prefix) -> ()`.
///
/// * `checkpoint_prefixes`: string
/// * `destination_prefix`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn merge_v2_checkpoints(
    checkpoint_prefixes: &Output,
    destination_prefix: &Output,
) -> MergeV2Checkpoints {
    let node =
        NodeBuilder::new("MergeV2Checkpoints").input(checkpoint_prefixes).input(destination_prefix);
    MergeV2Checkpoints(node)
}

/// A `MergeV2Checkpoints` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MergeV2Checkpoints(NodeBuilder);

impl MergeV2Checkpoints {
    /// The attribute `delete_old_dirs`; `true` unless set.
    pub fn delete_old_dirs(mut self, value: bool) -> MergeV2Checkpoints {
        self.0.set("delete_old_dirs", value.into());
        self
    }

    /// The attribute `allow_missing_files`; `false` unless set.
    pub fn allow_missing_files(mut self, value: bool) -> MergeV2Checkpoints {
        self.0.set("allow_missing_files", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MergeV2Checkpoints {
        MergeV2Checkpoints(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
