//! `MatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MatMul(a, b) -> (product)`.
///
/// * `a`: `T` (bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * `b`: `T` (bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * gives `product`: `T` (bfloat16, half, float, double, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
///
/// Differentiable.
pub fn mat_mul(a: &Output, b: &Output) -> MatMul {
    let node = NodeBuilder::new("MatMul").input(a).input(b);
    MatMul(node)
}

/// A `MatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MatMul(NodeBuilder);

impl MatMul {
    /// The attribute `transpose_a`; `false` unless set.
    pub fn transpose_a(mut self, value: bool) -> MatMul {
        self.0.set("transpose_a", value.into());
        self
    }

    /// The attribute `transpose_b`; `false` unless set.
    pub fn transpose_b(mut self, value: bool) -> MatMul {
        self.0.set("transpose_b", value.into());
        self
    }

    /// The attribute `grad_a`; `false` unless set.
    pub fn grad_a(mut self, value: bool) -> MatMul {
        self.0.set("grad_a", value.into());
        self
    }

    /// The attribute `grad_b`; `false` unless set.
    pub fn grad_b(mut self, value: bool) -> MatMul {
        self.0.set("grad_b", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MatMul {
        MatMul(self.0.name(name))
    }

    /// Adds the node and gives `product`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
