//! `SparseSegmentMeanWithNumSegments`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentMeanWithNumSegments(data, indices, segment_ids, num_segments) -> (output)`.
///
/// * `data`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `num_segments`: `Tnumsegments` (int32, int64)
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Differentiable.
pub fn sparse_segment_mean_with_num_segments(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
    num_segments: &Output,
) -> SparseSegmentMeanWithNumSegments {
    let node = NodeBuilder::new("SparseSegmentMeanWithNumSegments")
        .input(data)
        .input(indices)
        .input(segment_ids)
        .input(num_segments);
    SparseSegmentMeanWithNumSegments(node)
}

/// A `SparseSegmentMeanWithNumSegments` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentMeanWithNumSegments(NodeBuilder);

impl SparseSegmentMeanWithNumSegments {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentMeanWithNumSegments {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentMeanWithNumSegments {
        SparseSegmentMeanWithNumSegments(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
