//! `BandedTriangularSolve`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BandedTriangularSolve(matrix, rhs) -> (output)`.
///
/// * `matrix`: `T` (double, float, half, complex64, complex128)
/// * `rhs`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn banded_triangular_solve(matrix: &Output, rhs: &Output) -> BandedTriangularSolve {
    let node = NodeBuilder::new("BandedTriangularSolve").input(matrix).input(rhs);
    BandedTriangularSolve(node)
}

/// A `BandedTriangularSolve` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BandedTriangularSolve(NodeBuilder);

impl BandedTriangularSolve {
    /// The attribute `lower`; `true` unless set.
    pub fn lower(mut self, value: bool) -> BandedTriangularSolve {
        self.0.set("lower", value.into());
        self
    }

    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BandedTriangularSolve {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BandedTriangularSolve {
        BandedTriangularSolve(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
