//! `BatchMatrixTriangularSolve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatrixTriangularSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float)
/// * `rhs`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_triangular_solve(matrix: &Output, rhs: &Output) -> BatchMatrixTriangularSolve {
    let node = NodeBuilder::new("BatchMatrixTriangularSolve").input(matrix).input(rhs);
    BatchMatrixTriangularSolve(node)
}

/// A `BatchMatrixTriangularSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixTriangularSolve(NodeBuilder);

impl BatchMatrixTriangularSolve {
    /// The attribute `lower`; `true` unless set.
    pub fn lower(mut self, value: bool) -> BatchMatrixTriangularSolve {
        self.0.set("lower", value.into());
        self
    }

    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BatchMatrixTriangularSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixTriangularSolve {
        BatchMatrixTriangularSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
