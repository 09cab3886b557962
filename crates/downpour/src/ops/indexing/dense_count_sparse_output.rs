//! `DenseCountSparseOutput`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DenseCountSparseOutput(values, weights) -> (output_indices, output_values, output_dense_shape)`.
///
/// * `values`: `T` (int32, int64)
/// * `weights`: `output_type` (int32, int64, float, double)
/// * `binary_output`: attribute, bool
/// * gives `output_indices`: int64
/// * gives `output_values`: `output_type` (int32, int64, float, double)
/// * gives `output_dense_shape`: int64
///
/// Gradients do not flow through it.
pub fn dense_count_sparse_output(
    values: &Output,
    weights: &Output,
    binary_output: bool,
) -> DenseCountSparseOutput {
    let mut node = NodeBuilder::new("DenseCountSparseOutput").input(values).input(weights);
    node.set("binary_output", binary_output.into());
    DenseCountSparseOutput(node)
}

/// A `DenseCountSparseOutput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseCountSparseOutput(NodeBuilder);

impl DenseCountSparseOutput {
    /// The attribute `minlength`; `-1` unless set.
    pub fn minlength(mut self, value: i64) -> DenseCountSparseOutput {
        self.0.set("minlength", value.into());
        self
    }

    /// The attribute `maxlength`; `-1` unless set.
    pub fn maxlength(mut self, value: i64) -> DenseCountSparseOutput {
        self.0.set("maxlength", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseCountSparseOutput {
        DenseCountSparseOutput(self.0.name(name))
    }

    /// Adds the node and gives (`output_indices`, `output_values`, `output_dense_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
