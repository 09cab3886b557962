//! `ResourceAccumulatorApplyGradient`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceAccumulatorApplyGradient(handle, local_step, gradient) -> ()`.
///
/// * `handle`: resource
/// * `local_step`: int64
/// * `gradient`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_accumulator_apply_gradient(
    handle: &Output,
    local_step: &Output,
    gradient: &Output,
) -> ForOperation {
    let node = NodeBuilder::new("ResourceAccumulatorApplyGradient")
        .input(handle)
        .input(local_step)
        .input(gradient);
    ForOperation(node)
}
