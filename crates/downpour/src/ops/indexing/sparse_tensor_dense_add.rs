//! `SparseTensorDenseAdd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseTensorDenseAdd(a_indices, a_values, a_shape, b) -> (output)`.
///
/// * `a_indices`: `Tindices` (int32, int64)
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_shape`: `Tindices` (int32, int64)
/// * `b`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_tensor_dense_add(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseTensorDenseAdd")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b);
    ForOutput(node)
}
