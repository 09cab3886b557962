//! `BatchMatMulV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatMulV2(x, y) -> (output)`.
///
/// * `x`: `T` (bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * `y`: `T` (bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
/// * gives `output`: `T` (bfloat16, half, float, double, int16, int32, int64, uint8, uint16, uint32, uint64, complex64, complex128)
///
/// Differentiable.
pub fn batch_mat_mul_v2(x: &Output, y: &Output) -> BatchMatMulV2 {
    let node = NodeBuilder::new("BatchMatMulV2").input(x).input(y);
    BatchMatMulV2(node)
}

/// A `BatchMatMulV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatMulV2(NodeBuilder);

impl BatchMatMulV2 {
    /// The attribute `adj_x`; `false` unless set.
    pub fn adj_x(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("adj_x", value.into());
        self
    }

    /// The attribute `adj_y`; `false` unless set.
    pub fn adj_y(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("adj_y", value.into());
        self
    }

    /// The attribute `grad_x`; `false` unless set.
    pub fn grad_x(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("grad_x", value.into());
        self
    }

    /// The attribute `grad_y`; `false` unless set.
    pub fn grad_y(mut self, value: bool) -> BatchMatMulV2 {
        self.0.set("grad_y", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatMulV2 {
        BatchMatMulV2(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
