//! `SparseSlice`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSlice(indices, values, shape, start, size) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: int64
/// * `values`: `T` (any type)
/// * `shape`: int64
/// * `start`: int64
/// * `size`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `output_shape`: int64
///
/// Differentiable.
pub fn sparse_slice(
    indices: &Output,
    values: &Output,
    shape: &Output,
    start: &Output,
    size: &Output,
) -> SparseSlice {
    let node = NodeBuilder::new("SparseSlice")
        .input(indices)
        .input(values)
        .input(shape)
        .input(start)
        .input(size);
    SparseSlice(node)
}

/// A `SparseSlice` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSlice(NodeBuilder);

impl SparseSlice {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSlice {
        SparseSlice(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
