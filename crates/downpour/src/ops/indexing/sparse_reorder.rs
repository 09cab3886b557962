//! `SparseReorder`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseReorder(input_indices, input_values, input_shape) -> (output_indices, output_values)`.
///
/// * `input_indices`: int64
/// * `input_values`: `T` (any type)
/// * `input_shape`: int64
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
///
/// Differentiable.
pub fn sparse_reorder(
    input_indices: &Output,
    input_values: &Output,
    input_shape: &Output,
) -> SparseReorder {
    let node = NodeBuilder::new("SparseReorder")
        .input(input_indices)
        .input(input_values)
        .input(input_shape);
    SparseReorder(node)
}

/// A `SparseReorder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseReorder(NodeBuilder);

impl SparseReorder {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseReorder {
        SparseReorder(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
