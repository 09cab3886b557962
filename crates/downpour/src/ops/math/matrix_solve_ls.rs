//! `MatrixSolveLs`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixSolveLs(matrix, rhs, l2_regularizer) -> (output)`.
///
/// * `matrix`: `T` (double, float, half, complex64, complex128)
/// * `rhs`: `T` (double, float, half, complex64, complex128)
/// * `l2_regularizer`: double
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_solve_ls(matrix: &Output, rhs: &Output, l2_regularizer: &Output) -> MatrixSolveLs {
    let node = NodeBuilder::new("MatrixSolveLs").input(matrix).input(rhs).input(l2_regularizer);
    MatrixSolveLs(node)
}

/// A `MatrixSolveLs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixSolveLs(NodeBuilder);

impl MatrixSolveLs {
    /// The attribute `fast`; `true` unless set.
    pub fn fast(mut self, value: bool) -> MatrixSolveLs {
        self.0.set("fast", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixSolveLs {
        MatrixSolveLs(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
