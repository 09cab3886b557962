//! `SparseFillEmptyRowsGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseFillEmptyRowsGrad(reverse_index_map, grad_values) -> (d_values, d_default_value)`.
///
/// * `reverse_index_map`: int64
/// * `grad_values`: `T` (any type)
/// * gives `d_values`: `T` (any type)
/// * gives `d_default_value`: `T` (any type)
///
/// Has no gradient.
pub fn sparse_fill_empty_rows_grad(
    reverse_index_map: &Output,
    grad_values: &Output,
) -> SparseFillEmptyRowsGrad {
    let node =
        NodeBuilder::new("SparseFillEmptyRowsGrad").input(reverse_index_map).input(grad_values);
    SparseFillEmptyRowsGrad(node)
}

/// A `SparseFillEmptyRowsGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseFillEmptyRowsGrad(NodeBuilder);

impl SparseFillEmptyRowsGrad {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseFillEmptyRowsGrad {
        SparseFillEmptyRowsGrad(self.0.name(name))
    }

    /// Adds the node and gives (`d_values`, `d_default_value`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
