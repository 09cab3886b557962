//! `SparseMatrixMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatrixMatMul(a, b) -> (output)`.
///
/// * `a`: variant
/// * `b`: `T` (any type)
/// * gives `output`: `T` (any type)
///
/// Differentiable.
pub fn sparse_matrix_mat_mul(a: &Output, b: &Output) -> SparseMatrixMatMul {
    let node = NodeBuilder::new("SparseMatrixMatMul").input(a).input(b);
    SparseMatrixMatMul(node)
}

/// A `SparseMatrixMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseMatrixMatMul(NodeBuilder);

impl SparseMatrixMatMul {
    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> SparseMatrixMatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> SparseMatrixMatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `adjoint_a`; `false` unless set.
    pub fn adjoint_a(mut self, value: bool) -> SparseMatrixMatMul {
        self.0.set("adjoint_a", value.into());
        self
    }

    /// The attribute `adjoint_b`; `false` unless set.
    pub fn adjoint_b(mut self, value: bool) -> SparseMatrixMatMul {
        self.0.set("adjoint_b", value.into());
        self
    }

    /// The attribute `transpose_output`; `false` unless set.
    pub fn transpose_output(mut self, value: bool) -> SparseMatrixMatMul {
        self.0.set("transpose_output", value.into());
        self
    }

    /// The attribute `conjugate_output`; `false` unless set.
    pub fn conjugate_output(mut self, value: bool) -> SparseMatrixMatMul {
        self.0.set("conjugate_output", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseMatrixMatMul {
        SparseMatrixMatMul(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
