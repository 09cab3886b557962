//! `ScatterUpdate`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterUpdate(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (any type), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (any type)
/// * gives `output_ref`: `T` (any type), a reference
///
/// Gradients do not flow through it.
pub fn scatter_update(ref_: &Output, indices: &Output, updates: &Output) -> ScatterUpdate {
    let node = NodeBuilder::new("ScatterUpdate").input(ref_).input(indices).input(updates);
    ScatterUpdate(node)
}

/// A `ScatterUpdate` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterUpdate(NodeBuilder);

impl ScatterUpdate {
    /// The attribute `use_locking`; `true` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterUpdate {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterUpdate {
        ScatterUpdate(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
