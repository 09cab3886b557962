//! `SparseSliceGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSliceGrad(backprop_val_grad, input_indices, input_start, output_indices) -> (val_grad)`.
///
/// * `backprop_val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `input_indices`: int64
/// * `input_start`: int64
/// * `output_indices`: int64
/// * gives `val_grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_slice_grad(
    backprop_val_grad: &Output,
    input_indices: &Output,
    input_start: &Output,
    output_indices: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseSliceGrad")
        .input(backprop_val_grad)
        .input(input_indices)
        .input(input_start)
        .input(output_indices);
    ForOutput(node)
}
