//! `DenseToSparseSetOperation`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DenseToSparseSetOperation(set1, set2_indices, set2_values, set2_shape) -> (result_indices, result_values, result_shape)`.
///
/// * `set1`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2_indices`: int64
/// * `set2_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2_shape`: int64
/// * `set_operation`: attribute, string
/// * gives `result_indices`: int64
/// * gives `result_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * gives `result_shape`: int64
///
/// Gradients do not flow through it.
pub fn dense_to_sparse_set_operation(
    set1: &Output,
    set2_indices: &Output,
    set2_values: &Output,
    set2_shape: &Output,
    set_operation: &str,
) -> DenseToSparseSetOperation {
    let mut node = NodeBuilder::new("DenseToSparseSetOperation")
        .input(set1)
        .input(set2_indices)
        .input(set2_values)
        .input(set2_shape);
    node.set("set_operation", text(set_operation));
    DenseToSparseSetOperation(node)
}

/// A `DenseToSparseSetOperation` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseToSparseSetOperation(NodeBuilder);

impl DenseToSparseSetOperation {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> DenseToSparseSetOperation {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseToSparseSetOperation {
        DenseToSparseSetOperation(self.0.name(name))
    }

    /// Adds the node and gives (`result_indices`, `result_values`, `result_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
