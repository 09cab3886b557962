//! `MatrixInverse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatrixInverse(input) -> (output)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `output`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn matrix_inverse(input: &Output) -> MatrixInverse {
    let node = NodeBuilder::new("MatrixInverse").input(input);
    MatrixInverse(node)
}

/// A `MatrixInverse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatrixInverse(NodeBuilder);

impl MatrixInverse {
    /// The attribute `adjoint`; `false` unless set.
    pub fn adjoint(mut self, value: bool) -> MatrixInverse {
        self.0.set("adjoint", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatrixInverse {
        MatrixInverse(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
