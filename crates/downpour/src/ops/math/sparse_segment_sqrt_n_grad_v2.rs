//! `SparseSegmentSqrtNGradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentSqrtNGradV2(grad, indices, segment_ids, dense_output_dim0) -> (output, sorted_unique_indices)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `dense_output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
/// * gives `sorted_unique_indices`: `Tidx` (int32, int64)
///
/// Has no gradient.
pub fn sparse_segment_sqrt_n_grad_v2(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    dense_output_dim0: &Output,
) -> SparseSegmentSqrtNGradV2 {
    let node = NodeBuilder::new("SparseSegmentSqrtNGradV2")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(dense_output_dim0);
    SparseSegmentSqrtNGradV2(node)
}

/// A `SparseSegmentSqrtNGradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSegmentSqrtNGradV2(NodeBuilder);

impl SparseSegmentSqrtNGradV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSegmentSqrtNGradV2 {
        SparseSegmentSqrtNGradV2(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `sorted_unique_indices`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
