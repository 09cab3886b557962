//! `SparseApplyFtrlV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseApplyFtrlV2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `linear`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2_shrinkage`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_ftrl_v2(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    l2_shrinkage: &Output,
    lr_power: &Output,
) -> SparseApplyFtrlV2 {
    let node = NodeBuilder::new("SparseApplyFtrlV2")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(l2_shrinkage)
        .input(lr_power);
    SparseApplyFtrlV2(node)
}

/// A `SparseApplyFtrlV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyFtrlV2(NodeBuilder);

impl SparseApplyFtrlV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyFtrlV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> SparseApplyFtrlV2 {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyFtrlV2 {
        SparseApplyFtrlV2(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
