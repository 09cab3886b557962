//! `ResourceScatterNdMin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceScatterNdMin(ref, indices, updates) -> ()`.
///
/// * `ref`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_nd_min(
    ref_: &Output,
    indices: &Output,
    updates: &Output,
) -> ResourceScatterNdMin {
    let node = NodeBuilder::new("ResourceScatterNdMin").input(ref_).input(indices).input(updates);
    ResourceScatterNdMin(node)
}

/// A `ResourceScatterNdMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceScatterNdMin(NodeBuilder);

impl ResourceScatterNdMin {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceScatterNdMin {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ResourceScatterNdMin {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceScatterNdMin {
        ResourceScatterNdMin(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
