//! `SparseSegmentSumWithNumSegments`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentSumWithNumSegments(data, indices, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_segment_sum_with_num_segments(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> SparseSegmentSumWithNumSegments {
    let node = NodeBuilder::new("SparseSegmentSumWithNumSegments")
        .input(data)
        .input(indices)
        .input(segment_ids)
        .input(num_segments);
    SparseSegmentSumWithNumSegments(node)
}

/// A `SparseSegmentSumWithNumSegments` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSumWithNumSegments(NodeBuilder);

impl SparseSegmentSumWithNumSegments {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSumWithNumSegments {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSumWithNumSegments {
        SparseSegmentSumWithNumSegments(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
