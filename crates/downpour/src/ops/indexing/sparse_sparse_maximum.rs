//! `SparseSparseMaximum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSparseMaximum(a_indices, a_values, a_shape, b_indices, b_values, b_shape) -> (output_indices, output_values)`.
///
/// * `a_indices`: int64
/// * `a_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `a_shape`: int64
/// * `b_indices`: int64
/// * `b_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * `b_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
///
/// Has no gradient.
pub fn sparse_sparse_maximum(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b_indices: &Output,
    b_values: &Output,
    b_shape: &Output,
) -> SparseSparseMaximum {
    let node = NodeBuilder::new("SparseSparseMaximum")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b_indices)
        .input(b_values)
        .input(b_shape);
    SparseSparseMaximum(node)
}

/// A `SparseSparseMaximum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSparseMaximum(NodeBuilder);

impl SparseSparseMaximum {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSparseMaximum {
        SparseSparseMaximum(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
