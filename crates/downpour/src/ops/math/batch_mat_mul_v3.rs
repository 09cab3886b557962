//! `BatchMatMulV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchMatMulV3(x, y) -> (output)`.
///
/// * `x`: `Ta` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128)
/// * `y`: `Tb` (bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, complex128)
/// * `Tout`: attribute, type, one of bfloat16, half, float, double, int16, int32, int64, complex64, complex128
/// * gives `output`: `Tout` (bfloat16, half, float, double, int16, int32, int64, complex64, complex128)
///
/// Differentiable.
pub fn batch_mat_mul_v3(x: &Output, y: &Output, tout: DataType) -> BatchMatMulV3 {
    let mut node = NodeBuilder::new("BatchMatMulV3").input(x).input(y);
    node.set("Tout", tout.into());
    BatchMatMulV3(node)
}

/// A `BatchMatMulV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchMatMulV3(NodeBuilder);

impl BatchMatMulV3 {
    /// The attribute `adj_x`; `false` unless set.
    pub fn adj_x(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("adj_x", value.into());
        self
    }

    /// The attribute `adj_y`; `false` unless set.
    pub fn adj_y(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("adj_y", value.into());
        self
    }

    /// The attribute `grad_x`; `false` unless set.
    pub fn grad_x(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("grad_x", value.into());
        self
    }

    /// The attribute `grad_y`; `false` unless set.
    pub fn grad_y(mut self, value: bool) -> BatchMatMulV3 {
        self.0.set("grad_y", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchMatMulV3 {
        BatchMatMulV3(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
