//! `TridiagonalSolve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TridiagonalSolve(diagonals, rhs) -> (output)`.
///
/// * `diagonals`: `T` (double, float, complex64, complex128)
/// * `rhs`: `T` (double, float, complex64, complex128)
/// * gives `output`: `T` (double, float, complex64, complex128)
///
/// Differentiable.
pub fn tridiagonal_solve(diagonals: &Output, rhs: &Output) -> TridiagonalSolve {
    let node = NodeBuilder::new("TridiagonalSolve").input(diagonals).input(rhs);
    TridiagonalSolve(node)
}

/// A `TridiagonalSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TridiagonalSolve(NodeBuilder);

impl TridiagonalSolve {
    /// The attribute `partial_pivoting`; `true` unless set.
    pub fn partial_pivoting(mut self, value: bool) -> TridiagonalSolve {
        self.0.set("partial_pivoting", value.into());
        self
    }

    /// The attribute `perturb_singular`; `false` unless set.
    pub fn perturb_singular(mut self, value: bool) -> TridiagonalSolve {
        self.0.set("perturb_singular", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TridiagonalSolve {
        TridiagonalSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
