//! `SparseFillEmptyRows`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseFillEmptyRows(indices, values, dense_shape, default_value) -> (output_indices, output_values, empty_row_indicator, reverse_index_map)`.
///
/// * `indices`: int64
/// * `values`: `T` (any type)
/// * `dense_shape`: int64
/// * `default_value`: `T` (any type)
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `empty_row_indicator`: bool
/// * gives `reverse_index_map`: int64
///
/// Differentiable.
pub fn sparse_fill_empty_rows(
    indices: &Output,
    values: &Output,
    dense_shape: &Output,
    default_value: &Output,
) -> SparseFillEmptyRows {
    let node = NodeBuilder::new("SparseFillEmptyRows")
        .input(indices)
        .input(values)
        .input(dense_shape)
        .input(default_value);
    SparseFillEmptyRows(node)
}

/// The values of a `SparseFillEmptyRows`.
pub struct SparseFillEmptyRowsValues {
    /// `output_indices`.
    pub output_indices: Output,
    /// `output_values`.
    pub output_values: Output,
    /// `empty_row_indicator`.
    pub empty_row_indicator: Output,
    /// `reverse_index_map`.
    pub reverse_index_map: Output,
}

/// A `SparseFillEmptyRows` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseFillEmptyRows(NodeBuilder);

impl SparseFillEmptyRows {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseFillEmptyRows {
        SparseFillEmptyRows(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `empty_row_indicator`, `reverse_index_map`).
    pub fn build(self) -> Result<SparseFillEmptyRowsValues> {
        let operation = self.0.operation()?;
        Ok(SparseFillEmptyRowsValues {
            output_indices: operation.output(0)?,
            output_values: operation.output(1)?,
            empty_row_indicator: operation.output(2)?,
            reverse_index_map: operation.output(3)?,
        })
    }
}
