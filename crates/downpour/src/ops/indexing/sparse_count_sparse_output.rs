//! `SparseCountSparseOutput`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseCountSparseOutput(indices, values, dense_shape, weights) -> (output_indices, output_values, output_dense_shape)`.
///
/// * `indices`: int64
/// * `values`: `T` (int32, int64)
/// * `dense_shape`: int64
/// * `weights`: `output_type` (int32, int64, float, double)
/// * `binary_output`: attribute, bool
/// * gives `output_indices`: int64
/// * gives `output_values`: `output_type` (int32, int64, float, double)
/// * gives `output_dense_shape`: int64
///
/// Gradients do not flow through it.
pub fn sparse_count_sparse_output(
    indices: &Output,
    values: &Output,
    dense_shape: &Output,
    weights: &Output,
    binary_output: bool,
) -> SparseCountSparseOutput {
    let mut node = NodeBuilder::new("SparseCountSparseOutput")
        .input(indices)
        .input(values)
        .input(dense_shape)
        .input(weights);
    node.set("binary_output", binary_output.into());
    SparseCountSparseOutput(node)
}

/// A `SparseCountSparseOutput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseCountSparseOutput(NodeBuilder);

impl SparseCountSparseOutput {
    /// The attribute `minlength`; `-1` unless set.
    pub fn minlength(mut self, value: i64) -> SparseCountSparseOutput {
        self.0.set("minlength", value.into());
        self
    }

    /// The attribute `maxlength`; `-1` unless set.
    pub fn maxlength(mut self, value: i64) -> SparseCountSparseOutput {
        self.0.set("maxlength", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseCountSparseOutput {
        SparseCountSparseOutput(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_dense_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
