//! `SparseApplyAdagradDA`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, indices, lr, l1, l2, global_step) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_squared_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn sparse_apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    indices: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> SparseApplyAdagradDA {
    let node = NodeBuilder::new("SparseApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(indices)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    SparseApplyAdagradDA(node)
}

/// A `SparseApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseApplyAdagradDA(NodeBuilder);

impl SparseApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> SparseApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SparseApplyAdagradDA {
        SparseApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
