//! `ScatterMax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterMax(ref, indices, updates) -> (output_ref)`.
///
/// * `ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `T` (half, bfloat16, float, double, int32, int64)
/// * gives `output_ref`: `T` (half, bfloat16, float, double, int32, int64), a reference
///
/// Gradients do not flow through it.
pub fn scatter_max(ref_: &Output, indices: &Output, updates: &Output) -> ScatterMax {
    let node = NodeBuilder::new("ScatterMax").input(ref_).input(indices).input(updates);
    ScatterMax(node)
}

/// A `ScatterMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterMax(NodeBuilder);

impl ScatterMax {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ScatterMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterMax {
        ScatterMax(self.0.name(name))
    }

    /// Adds the node and gives `output_ref`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
