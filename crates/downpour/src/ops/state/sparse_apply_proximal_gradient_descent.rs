//! `SparseApplyProximalGradientDescent`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseApplyProximalGradientDescent(var, alpha, l1, l2, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_proximal_gradient_descent(
    var: &Output,
    alpha: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyProximalGradientDescent {
    let node = NodeBuilder::new("SparseApplyProximalGradientDescent")
        .input(var)
        .input(alpha)
        .input(l1)
        .input(l2)
        .input(grad)
        .input(indices);
    SparseApplyProximalGradientDescent(node)
}

/// A `SparseApplyProximalGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyProximalGradientDescent(NodeBuilder);

impl SparseApplyProximalGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyProximalGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyProximalGradientDescent {
        SparseApplyProximalGradientDescent(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
