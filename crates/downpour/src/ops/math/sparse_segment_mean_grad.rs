//! `SparseSegmentMeanGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSegmentMeanGrad(grad, indices, segment_ids, output_dim0) -> (output)`.
///
/// * `grad`: `T` (bfloat16, half, float, double)
/// * `indices`: `Tidx` (int32, int64)
/// * `segment_ids`: `Tsegmentids` (int32, int64)
/// * `output_dim0`: int32
/// * gives `output`: `T` (bfloat16, half, float, double)
///
/// Has no gradient.
pub fn sparse_segment_mean_grad(
    grad: &Output,
    indices: &Output,
    segment_ids: &Output,
    output_dim0: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseSegmentMeanGrad")
        .input(grad)
        .input(indices)
        .input(segment_ids)
        .input(output_dim0);
    ForOutput(node)
}
