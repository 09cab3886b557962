//! `SparseSparseMinimum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSparseMinimum(a_indices, a_values, a_shape, b_indices, b_values, b_shape) -> (output_indices, output_values)`.
///
/// * `a_indices`: int64
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `a_shape`: int64
/// * `b_indices`: int64
/// * `b_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `b_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_sparse_minimum(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b_indices: &Output,
    b_values: &Output,
    b_shape: &Output,
) -> SparseSparseMinimum {
    let node = NodeBuilder::new("SparseSparseMinimum")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b_indices)
        .input(b_values)
        .input(b_shape);
    SparseSparseMinimum(node)
}

/// A `SparseSparseMinimum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSparseMinimum(NodeBuilder);

impl SparseSparseMinimum {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSparseMinimum {
        SparseSparseMinimum(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
