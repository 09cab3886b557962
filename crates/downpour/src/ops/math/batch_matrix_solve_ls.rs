//! `BatchMatrixSolveLs`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatrixSolveLs(matrix, rhs, l2_regularizer) -> (output)`.
///
/// * `matrix`: `T` (double, float)
/// * `rhs`: `T` (double, float)
/// * `l2_regularizer`: double
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_solve_ls(
    matrix: &Output,
    rhs: &Output,
    l2_regularizer: &Output,
) -> BatchMatrixSolveLs {
    let node =
        NodeBuilder::new("BatchMatrixSolveLs").input(matrix).input(rhs).input(l2_regularizer);
    BatchMatrixSolveLs(node)
}

/// A `BatchMatrixSolveLs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixSolveLs(NodeBuilder);

impl BatchMatrixSolveLs {
    /// The attribute `fast`; `true` unless set.
    pub fn fast(mut self, value: bool) -> BatchMatrixSolveLs {
        self.0.set("fast", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixSolveLs {
        BatchMatrixSolveLs(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
