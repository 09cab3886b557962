//! `ScatterNdUpdate`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterNdUpdate(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Gradients do not flow through it.
pub fn scatter_nd_update(ref_: &Output, indices: &Output, updates: &Output) -> ScatterNdUpdate {
    let node = NodeBuilder::new("ScatterNdUpdate").input(ref_).input(indices).input(updates);
    ScatterNdUpdate(node)
}

/// A `ScatterNdUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNdUpdate(NodeBuilder);

impl ScatterNdUpdate {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterNdUpdate {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNdUpdate {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNdUpdate {
        ScatterNdUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
