//! `SparseAdd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseAdd(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh) -> (sum_indices, sum_values, sum_shape)`.
///
/// * `a_indices`: int64
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_shape`: int64
/// * `b_indices`: int64
/// * `b_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `b_shape`: int64
/// * `thresh`: `Treal` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `sum_indices`: int64
/// * gives `sum_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `sum_shape`: int64
///
/// Differentiable.
pub fn sparse_add(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b_indices: &Output,
    b_values: &Output,
    b_shape: &Output,
    thresh: &Output,
) -> SparseAdd {
    let node = NodeBuilder::new("SparseAdd")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b_indices)
        .input(b_values)
        .input(b_shape)
        .input(thresh);
    SparseAdd(node)
}

/// A `SparseAdd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseAdd(NodeBuilder);

impl SparseAdd {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseAdd {
        SparseAdd(self.0.name(name))
    }

    /// Adds the node and gives (`sum_indices`, `sum_values`, `sum_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
