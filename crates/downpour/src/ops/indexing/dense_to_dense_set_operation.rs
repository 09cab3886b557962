//! `DenseToDenseSetOperation`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DenseToDenseSetOperation(set1, set2) -> (result_indices, result_values, result_shape)`.
///
/// * `set1`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set2`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * `set_operation`: attribute, string
/// * gives `result_indices`: int64
/// * gives `result_values`: `T` (int8, int16, int32, int64, uint8, uint16, string)
/// * gives `result_shape`: int64
///
/// Gradients do not flow through it.
pub fn dense_to_dense_set_operation(
    set1: &Output,
    set2: &Output,
    set_operation: &str,
) -> DenseToDenseSetOperation {
    let mut node = NodeBuilder::new("DenseToDenseSetOperation").input(set1).input(set2);
    node.set("set_operation", text(set_operation));
    DenseToDenseSetOperation(node)
}

/// A `DenseToDenseSetOperation` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DenseToDenseSetOperation(NodeBuilder);

impl DenseToDenseSetOperation {
    /// The attribute `validate_indices`; `true` unless set.
    pub fn validate_indices(mut self, value: bool) -> DenseToDenseSetOperation {
        self.0.set("validate_indices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DenseToDenseSetOperation {
        DenseToDenseSetOperation(self.0.name(name))
    }

    /// Adds the node and gives (`result_indices`, `result_values`, `result_shape`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
