//! `MatrixSolve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float, half, complex64, complex128)
/// * `rhs`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_solve(matrix: &Output, rhs: &Output) -> MatrixSolve {
    let node = NodeBuilder::new("MatrixSolve").input(matrix).input(rhs);
    MatrixSolve(node)
}

/// A `MatrixSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixSolve(NodeBuilder);

impl MatrixSolve {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> MatrixSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixSolve {
        MatrixSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
