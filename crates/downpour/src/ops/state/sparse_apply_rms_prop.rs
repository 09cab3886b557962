//! `SparseApplyRMSProp`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseApplyRMSProp(var, ms, mom, lr, rho, momentum, epsilon, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `ms`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `mom`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_rms_prop(
    var: &Output,
    ms: &Output,
    mom: &Output,
    lr: &Output,
    rho: &Output,
    momentum: &Output,
    epsilon: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyRMSProp {
    let node = NodeBuilder::new("SparseApplyRMSProp")
        .input(var)
        .input(ms)
        .input(mom)
        .input(lr)
        .input(rho)
        .input(momentum)
        .input(epsilon)
        .input(grad)
        .input(indices);
    SparseApplyRMSProp(node)
}

/// A `SparseApplyRMSProp` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyRMSProp(NodeBuilder);

impl SparseApplyRMSProp {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyRMSProp {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyRMSProp {
        SparseApplyRMSProp(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
