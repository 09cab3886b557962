//! `SparseSegmentSqrtNWithNumSegments`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentSqrtNWithNumSegments(data, indices, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_sqrt_n_with_num_segments(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> SparseSegmentSqrtNWithNumSegments {
    let node = NodeBuilder::new("SparseSegmentSqrtNWithNumSegments")
        .input(data)
        .input(indices)
        .input(segment_ids)
        .input(num_segments);
    SparseSegmentSqrtNWithNumSegments(node)
}

/// A `SparseSegmentSqrtNWithNumSegments` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSqrtNWithNumSegments(NodeBuilder);

impl SparseSegmentSqrtNWithNumSegments {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSqrtNWithNumSegments {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSqrtNWithNumSegments {
        SparseSegmentSqrtNWithNumSegments(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
