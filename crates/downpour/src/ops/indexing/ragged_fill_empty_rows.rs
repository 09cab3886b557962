//! `RaggedFillEmptyRows`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RaggedFillEmptyRows(value_rowids, values, nrows, default_value) -> (output_value_rowids, output_values, empty_row_indicator, reverse_index_map)`.
///
/// * `value_rowids`: int64
/// * `values`: `T` (any type)
/// * `nrows`: int64
/// * `default_value`: `T` (any type)
/// * gives `output_value_rowids`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `empty_row_indicator`: bool
/// * gives `reverse_index_map`: int64
///
/// Differentiable.
pub fn ragged_fill_empty_rows(
    value_rowids: &Output,
    values: &Output,
    nrows: &Output,
    default_value: &Output,
) -> RaggedFillEmptyRows {
    let node = NodeBuilder::new("RaggedFillEmptyRows")
        .input(value_rowids)
        .input(values)
        .input(nrows)
        .input(default_value);
    RaggedFillEmptyRows(node)
}

/// The values of a `RaggedFillEmptyRows`.
pub struct RaggedFillEmptyRowsValues {
    /// `output_value_rowids`.
    pub output_value_rowids: Output,
    /// `output_values`.
    pub output_values: Output,
    /// `empty_row_indicator`.
    pub empty_row_indicator: Output,
    /// `reverse_index_map`.
    pub reverse_index_map: Output,
}

/// A `RaggedFillEmptyRows` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RaggedFillEmptyRows(NodeBuilder);

impl RaggedFillEmptyRows {
    /// Names the node.
    pub fn name(self, name: &str) -> RaggedFillEmptyRows {
        RaggedFillEmptyRows(self.0.name(name))
    }

    /// Adds the node and gives (`output_value_rowids`, `output_values`, `empty_row_indicator`, `reverse_index_map`).
    pub fn build(self) -> Result<RaggedFillEmptyRowsValues> {
        let operation = self.0.operation()?;
        Ok(RaggedFillEmptyRowsValues {
            output_value_rowids: operation.output(0)?,
            output_values: operation.output(1)?,
            empty_row_indicator: operation.output(2)?,
            reverse_index_map: operation.output(3)?,
        })
    }
}
