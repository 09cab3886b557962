//! `BatchMatrixInverse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatrixInverse(input) -> (output)`.
///
/// * `input`: `T` (double, float)
/// * gives `output`: `T` (double, float)
///
/// Differentiable.
pub fn batch_matrix_inverse(input: &Output) -> BatchMatrixInverse {
    let node = NodeBuilder::new("BatchMatrixInverse").input(input);
    BatchMatrixInverse(node)
}

/// A `BatchMatrixInverse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatrixInverse(NodeBuilder);

impl BatchMatrixInverse {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> BatchMatrixInverse {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatrixInverse {
        BatchMatrixInverse(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
