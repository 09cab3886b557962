//! `SparseConcat`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseConcat(indices, values, shapes) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: `N` values of `T` (any type)
/// * `shapes`: `N` values of int64
/// * `concat_dim`: attribute, int
/// * gives `output_indices`: int64
/// * gives `output_values`: `T` (any type)
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_concat(
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    concat_dim: i64,
) -> SparseConcat {
    let mut node = NodeBuilder::new("SparseConcat").list(indices).list(values).list(shapes);
    node.set("concat_dim", concat_dim.into());
    SparseConcat(node)
}

/// A `SparseConcat` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseConcat(NodeBuilder);

impl SparseConcat {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseConcat {
        SparseConcat(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
