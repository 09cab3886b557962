//! `GatherV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GatherV2(params, indices, axis) -> (output)`.
///
/// * `params`: `Tparams` (any type)
/// * `indices`: `Tindices` (int16, int32, int64)
/// * `axis`: `Taxis` (int32, int64)
/// * gives `output`: `Tparams` (any type)
///
/// Differentiable.
pub fn gather_v2(params: &Output, indices: &Output, axis: &Output) -> GatherV2 {
    let node = NodeBuilder::new("GatherV2").input(params).input(indices).input(axis);
    GatherV2(node)
}

/// A `GatherV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GatherV2(NodeBuilder);

impl GatherV2 {
    /// The attribute `batch_dims`; `0` unless set.
    pub fn batch_dims(mut self, value: i64) -> GatherV2 {
        self.0.set("batch_dims", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GatherV2 {
        GatherV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
