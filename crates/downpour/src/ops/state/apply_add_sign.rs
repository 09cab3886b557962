//! `ApplyAddSign`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApplyAddSign(var, m, lr, alpha, sign_decay, beta, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_add_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    alpha: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ApplyAddSign {
    let node = NodeBuilder::new("ApplyAddSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(alpha)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ApplyAddSign(node)
}

/// A `ApplyAddSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAddSign(NodeBuilder);

impl ApplyAddSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAddSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAddSign {
        ApplyAddSign(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
