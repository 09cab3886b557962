//! `BatchMatMul`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatMul(x, y) -> (output)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
/// * gives `output`: `T` (bfloat16, half, float, double, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn batch_mat_mul(x: &Output, y: &Output) -> BatchMatMul {
    let node = NodeBuilder::new("BatchMatMul").input(x).input(y);
    BatchMatMul(node)
}

/// A `BatchMatMul` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatMul(NodeBuilder);

impl BatchMatMul {
    /// The attribute `adj_x`; `false` unless set.
    pub fn adj_x(mut self, value: bool) -> BatchMatMul {
        self.0.set("adj_x", value.into());
        self
    }

    /// The attribute `adj_y`; `false` unless set.
    pub fn adj_y(mut self, value: bool) -> BatchMatMul {
        self.0.set("adj_y", value.into());
        self
    }

    /// The attribute `grad_x`; `false` unless set.
    pub fn grad_x(mut self, value: bool) -> BatchMatMul {
        self.0.set("grad_x", value.into());
        self
    }

    /// The attribute `grad_y`; `false` unless set.
    pub fn grad_y(mut self, value: bool) -> BatchMatMul {
        self.0.set("grad_y", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatMul {
        BatchMatMul(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
