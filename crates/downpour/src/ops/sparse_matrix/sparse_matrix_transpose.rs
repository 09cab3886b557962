//! `SparseMatrixTranspose`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixTranspose(input) -> (output)`.
///
/// * `input`: variant
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `output`: variant
///
/// Differentiable.
pub fn sparse_matrix_transpose(input: &Output, type_: DataType) -> SparseMatrixTranspose {
    let mut node = NodeBuilder::new("SparseMatrixTranspose").input(input);
    node.set("type", type_.into());
    SparseMatrixTranspose(node)
}

/// A `SparseMatrixTranspose` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseMatrixTranspose(NodeBuilder);

impl SparseMatrixTranspose {
    /// The attribute `conjugate`; `false` unless set.
    pub fn conjugate(mut self, value: bool) -> SparseMatrixTranspose {
        self.0.set("conjugate", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseMatrixTranspose {
        SparseMatrixTranspose(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
