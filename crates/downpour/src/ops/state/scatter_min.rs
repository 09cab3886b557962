//! `ScatterMin`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterMin(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (half, bfloat16, float, double, int32, int64)
/// * gives `output_ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_min(ref_: &Output, indices: &Output, updates: &Output) -> ScatterMin {
    let node = NodeBuilder::new("ScatterMin").input(ref_).input(indices).input(updates);
    ScatterMin(node)
}

/// A `ScatterMin` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterMin(NodeBuilder);

impl ScatterMin {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterMin {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterMin {
        ScatterMin(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
