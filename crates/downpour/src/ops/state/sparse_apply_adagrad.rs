//! `SparseApplyAdagrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseApplyAdagrad(var, accum, lr, grad, indices) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn sparse_apply_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
) -> SparseApplyAdagrad {
    let node = NodeBuilder::new("SparseApplyAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices);
    SparseApplyAdagrad(node)
}

/// A `SparseApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyAdagrad(NodeBuilder);

impl SparseApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> SparseApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyAdagrad {
        SparseApplyAdagrad(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
