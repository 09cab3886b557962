//! `ApplyMomentum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApplyMomentum(var, accum, lr, grad, momentum) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    momentum: &Output,
) -> ApplyMomentum {
    let node = NodeBuilder::new("ApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(momentum);
    ApplyMomentum(node)
}

/// A `ApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyMomentum(NodeBuilder);

impl ApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyMomentum {
        ApplyMomentum(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
