//! `ApplyAdagradDA`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `gradient_squared_accumulator`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> ApplyAdagradDA {
    let node = NodeBuilder::new("ApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    ApplyAdagradDA(node)
}

/// A `ApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdagradDA(NodeBuilder);

impl ApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdagradDA {
        ApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
