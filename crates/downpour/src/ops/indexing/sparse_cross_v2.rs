//! `SparseCrossV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseCrossV2(indices, values, shapes, dense_inputs, sep) -> (output_indices, output_values, output_shape)`.
///
/// * `indices`: `N` values of int64
/// * `values`: several, of types `sparse_types`
/// * `shapes`: `N` values of int64
/// * `dense_inputs`: several, of types `dense_types`
/// * `sep`: string
/// * gives `output_indices`: int64
/// * gives `output_values`: string
/// * gives `output_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_cross_v2(
    indices: &[Output],
    values: &[Output],
    shapes: &[Output],
    dense_inputs: &[Output],
    sep: &Output,
) -> SparseCrossV2 {
    let node = NodeBuilder::new("SparseCrossV2")
        .list(indices)
        .list(values)
        .list(shapes)
        .list(dense_inputs)
        .input(sep);
    SparseCrossV2(node)
}

/// A `SparseCrossV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCrossV2(NodeBuilder);

impl SparseCrossV2 {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseCrossV2 {
        SparseCrossV2(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
