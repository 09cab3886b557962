//! `SparseSegmentSqrtN`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentSqrtN(data, indices, segment_ids) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_sqrt_n(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
) -> SparseSegmentSqrtN {
    let node = NodeBuilder::new("SparseSegmentSqrtN").input(data).input(indices).input(segment_ids);
    SparseSegmentSqrtN(node)
}

/// A `SparseSegmentSqrtN` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSqrtN(NodeBuilder);

impl SparseSegmentSqrtN {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSqrtN {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSqrtN {
        SparseSegmentSqrtN(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
