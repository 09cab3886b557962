//! `ResourceScatterNdSub`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceScatterNdSub(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_sub(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdSub {
    let node = NodeBuilder::new("ResourceScatterNdSub").input(ref_).input(indices).input(updates);
    ResourceScatterNdSub(node)
}

/// A `ResourceScatterNdSub` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdSub(NodeBuilder);

impl ResourceScatterNdSub {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdSub {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdSub {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdSub {
        ResourceScatterNdSub(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
