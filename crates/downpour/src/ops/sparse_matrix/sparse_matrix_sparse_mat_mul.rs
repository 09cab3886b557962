//! `SparseMatrixSparseMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixSparseMatMul(a, b) -> (c)`.
///
/// * `a`: variant
/// * `b`: variant
/// * `type`: attribute, type, one of float, double, complex64, complex128
/// * gives `c`: variant
///
/// Differentiable.
pub fn sparse_matrix_sparse_mat_mul(a: &Output, b: &Output, type_: DataType) -> SparseMatrixSparseMatMul {
    let mut node = NodeBuilder::new("SparseMatrixSparseMatMul").input(a).input(b);
    node.set("type", type_.into());
    SparseMatrixSparseMatMul(node)
}

/// A `SparseMatrixSparseMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseMatrixSparseMatMul(NodeBuilder);

impl SparseMatrixSparseMatMul {
    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> SparseMatrixSparseMatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> SparseMatrixSparseMatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `adjoint_a`; `false` unless set.
    pub fn adjoint_a(mut self, value: bool) -> SparseMatrixSparseMatMul {
        self.0.set("adjoint_a", value.into());
        self
    }

    /// The attribute `adjoint_b`; `false` unless set.
    pub fn adjoint_b(mut self, value: bool) -> SparseMatrixSparseMatMul {
        self.0.set("adjoint_b", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseMatrixSparseMatMul {
        SparseMatrixSparseMatMul(self.0.name(name))
    }

    /// Adds the node and gives `c`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
