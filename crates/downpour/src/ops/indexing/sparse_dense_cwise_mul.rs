//! `SparseDenseCwiseMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseDenseCwiseMul(sp_indices, sp_values, sp_shape, dense) -> (output)`.
///
/// * `sp_indices`: int64
/// * `sp_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sp_shape`: int64
/// * `dense`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn sparse_dense_cwise_mul(
    sp_indices: &Output,
    sp_values: &Output,
    sp_shape: &Output,
    dense: &Output,
) -> ForOutput {
    let node = NodeBuilder::new("SparseDenseCwiseMul")
        .input(sp_indices)
        .input(sp_values)
        .input(sp_shape)
        .input(dense);
    ForOutput(node)
}
