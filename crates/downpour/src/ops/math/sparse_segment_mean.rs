//! `SparseSegmentMean`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentMean(data, indices, segment_ids) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_mean(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
) -> SparseSegmentMean {
    let node = NodeBuilder::new("SparseSegmentMean").input(data).input(indices).input(segment_ids);
    SparseSegmentMean(node)
}

/// A `SparseSegmentMean` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentMean(NodeBuilder);

impl SparseSegmentMean {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentMean {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentMean {
        SparseSegmentMean(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
