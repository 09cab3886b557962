//! `SparseTensorDenseMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseTensorDenseMatMul(a_indices, a_values, a_shape, b) -> (product)`.
///
/// * `a_indices`: `Tindices` (int32, int64)
/// * `a_values`: `T` (any type)
/// * `a_shape`: int64
/// * `b`: `T` (any type)
/// * gives `product`: `T` (any type)
///
/// Differentiable.
pub fn sparse_tensor_dense_mat_mul(
    a_indices: &Output,
    a_values: &Output,
    a_shape: &Output,
    b: &Output,
) -> SparseTensorDenseMatMul {
    let node = NodeBuilder::new("SparseTensorDenseMatMul")
        .input(a_indices)
        .input(a_values)
        .input(a_shape)
        .input(b);
    SparseTensorDenseMatMul(node)
}

/// A `SparseTensorDenseMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseTensorDenseMatMul(NodeBuilder);

impl SparseTensorDenseMatMul {
    /// The attribute `adjoint_a`; `false` unless set.
    pub fn adjoint_a(mut self, value: bool) -> SparseTensorDenseMatMul {
        self.0.set("adjoint_a", value.into());
        self
    }

    /// The attribute `adjoint_b`; `false` unless set.
    pub fn adjoint_b(mut self, value: bool) -> SparseTensorDenseMatMul {
        self.0.set("adjoint_b", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseTensorDenseMatMul {
        SparseTensorDenseMatMul(self.0.name(name))
    }

    /// Adds the node and gives `product`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
