//! `ScatterNd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ScatterNd(indices, updates, shape) -> (output)`.
///
/// * `indices`: `Tindices` (int16, int32, int64)
/// * `updates`: `T` (any type)
/// * `shape`: `Tindices` (int16, int32, int64)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn scatter_nd(indices: &Output, updates: &Output, shape: &Output) -> ScatterNd {
    let node = NodeBuilder::new("ScatterNd").input(indices).input(updates).input(shape);
    ScatterNd(node)
}

/// A `ScatterNd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ScatterNd(NodeBuilder);

impl ScatterNd {
    /// The attribute `bad_indices_policy`; `""` unless set.
    pub fn bad_indices_policy(mut self, value: &str) -> ScatterNd {
        self.0.set("bad_indices_policy", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ScatterNd {
        ScatterNd(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
