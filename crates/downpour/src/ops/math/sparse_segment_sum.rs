//! `SparseSegmentSum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentSum(data, indices, segment_ids) -> (output)`.
///
/// * `data`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_segment_sum(
    data: &Output,
    indices: &Output,
    segment_ids: &Output,
) -> SparseSegmentSum {
    let node = NodeBuilder::new("SparseSegmentSum").input(data).input(indices).input(segment_ids);
    SparseSegmentSum(node)
}

/// A `SparseSegmentSum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSum(NodeBuilder);

impl SparseSegmentSum {
    /// The attribute `sparse_gradient`; `false` unless set.
    pub fn sparse_gradient(mut self, value: bool) -> SparseSegmentSum {
        self.0.set("sparse_gradient", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSum {
        SparseSegmentSum(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
