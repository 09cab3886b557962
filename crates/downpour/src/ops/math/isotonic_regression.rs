//! `IsotonicRegression`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IsotonicRegression(input) -> (output, segments)`.
///
/// * `input`: `T` (float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64)
/// * gives `output`: `output_dtype` (half, bfloat16, float, double)
/// * gives `segments`: int32
///
/// Differentiable.
pub fn isotonic_regression(input: &Output) -> IsotonicRegression {
    let node = NodeBuilder::new("IsotonicRegression").input(input);
    IsotonicRegression(node)
}

/// A `IsotonicRegression` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IsotonicRegression(NodeBuilder);

impl IsotonicRegression {
    /// The attribute `output_dtype`; float unless set.
    pub fn output_dtype(mut self, value: DataType) -> IsotonicRegression {
        self.0.set("output_dtype", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IsotonicRegression {
        IsotonicRegression(self.0.name(name))
    }

    /// Adds the node and gives (`output`, `segments`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
