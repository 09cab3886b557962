//! `GatherNd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GatherNd(params, indices) -> (output)`.
///
/// * `params`: `Tparams` (any type)
/// * `indices`: `Tindices` (int16, int32, int64)
/// * gives `output`: `Tparams` (any type)
///
/// Differentiable.
pub fn gather_nd(params: &Output, indices: &Output) -> GatherNd {
    let node = NodeBuilder::new("GatherNd").input(params).input(indices);
    GatherNd(node)
}

/// A `GatherNd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GatherNd(NodeBuilder);

impl GatherNd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> GatherNd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GatherNd {
        GatherNd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
