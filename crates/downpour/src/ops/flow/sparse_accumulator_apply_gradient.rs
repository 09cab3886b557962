//! `SparseAccumulatorApplyGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseAccumulatorApplyGradient(handle, local_step, gradient_indices, gradient_values, gradient_shape) -> ()`.
///
/// * `handle`: string, a reference
/// * `local_step`: int64
/// * `gradient_indices`: int64
/// * `gradient_values`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `gradient_shape`: int64
/// * `has_known_shape`: attribute, bool
///
/// Gradients do not flow through it.
pub fn sparse_accumulator_apply_gradient(
    handle: &Output,
    local_step: &Output,
    gradient_indices: &Output,
    gradient_values: &Output,
    gradient_shape: &Output,
    has_known_shape: bool,
) -> ForOperation {
    let mut node = NodeBuilder::new("SparseAccumulatorApplyGradient")
        .input(handle)
        .input(local_step)
        .input(gradient_indices)
        .input(gradient_values)
        .input(gradient_shape);
    node.set("has_known_shape", has_known_shape.into());
    ForOperation(node)
}
