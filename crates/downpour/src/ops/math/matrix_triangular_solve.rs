//! `MatrixTriangularSolve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixTriangularSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (bfloat16, double, float, half, complex64, complex128)
/// * `rhs`: `T` (bfloat16, double, float, half, complex64, complex128)
/// * gives `output`: `T` (bfloat16, double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_triangular_solve(matrix: &Output, rhs: &Output) -> MatrixTriangularSolve {
    let node = NodeBuilder::new("MatrixTriangularSolve").input(matrix).input(rhs);
    MatrixTriangularSolve(node)
}

/// A `MatrixTriangularSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixTriangularSolve(NodeBuilder);

impl MatrixTriangularSolve {
    /// The attribute `lower`; `true` unless set.
    pub fn lower(mut self, value: bool) -> MatrixTriangularSolve {
        self.0.set("lower", value.into());
        self
    }

    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> MatrixTriangularSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixTriangularSolve {
        MatrixTriangularSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
