//! `SparseApplyMomentum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseApplyMomentum(var, accum, lr, grad, indices, momentum) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
    momentum: &Output,
) -> SparseApplyMomentum {
    let node = NodeBuilder::new("SparseApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices)
        .input(momentum);
    SparseApplyMomentum(node)
}

/// A `SparseApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyMomentum(NodeBuilder);

impl SparseApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> SparseApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyMomentum {
        SparseApplyMomentum(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
