//! `LogMatrixDeterminant`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LogMatrixDeterminant(input) -> (sign, log_abs_determinant)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `sign`: `T` (double, float, half, complex64, complex128)
/// * gives `log_abs_determinant`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn log_matrix_determinant(input: &Output) -> LogMatrixDeterminant {
    let node = NodeBuilder::new("LogMatrixDeterminant").input(input);
    LogMatrixDeterminant(node)
}

/// A `LogMatrixDeterminant` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct LogMatrixDeterminant(NodeBuilder);

impl LogMatrixDeterminant {
    /// Names the node.
    pub fn name(self, name: &str) -> LogMatrixDeterminant {
        LogMatrixDeterminant(self.0.name(name))
    }

    /// Adds the node and gives (`sign`, `log_abs_determinant`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
