//! `SparseMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseMatMul(a, b) -> (product)`.
///
/// * `a`: `Ta` (float, bfloat16)
/// * `b`: `Tb` (float, bfloat16)
/// * gives `product`: float
///
/// Differentiable.
pub fn sparse_mat_mul(a: &Output, b: &Output) -> SparseMatMul {
    let node = NodeBuilder::new("SparseMatMul").input(a).input(b);
    SparseMatMul(node)
}

/// A `SparseMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseMatMul(NodeBuilder);

impl SparseMatMul {
    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> SparseMatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> SparseMatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `a_is_sparse`; `false` unless set.
    pub fn a_is_sparse(mut self, value: bool) -> SparseMatMul {
        self.0.set("a_is_sparse", value.into());
        self
    }

    /// The attribute `b_is_sparse`; `false` unless set.
    pub fn b_is_sparse(mut self, value: bool) -> SparseMatMul {
        self.0.set("b_is_sparse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseMatMul {
        SparseMatMul(self.0.name(name))
    }

    /// Adds the node and gives `product`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
