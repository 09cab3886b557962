//! `BatchMatrixSolve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatrixSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float)
/// * `rhs`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_solve(matrix: &Output, rhs: &Output) -> BatchMatrixSolve {
    let node = NodeBuilder::new("BatchMatrixSolve").input(matrix).input(rhs);
    BatchMatrixSolve(node)
}

/// A `BatchMatrixSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixSolve(NodeBuilder);

impl BatchMatrixSolve {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BatchMatrixSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixSolve {
        BatchMatrixSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
