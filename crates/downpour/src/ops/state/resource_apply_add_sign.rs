//! `ResourceApplyAddSign`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyAddSign(var, m, lr, alpha, sign_decay, beta, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_add_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    alpha: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ResourceApplyAddSign {
    let node = NodeBuilder::new("ResourceApplyAddSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(alpha)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ResourceApplyAddSign(node)
}

/// A `ResourceApplyAddSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAddSign(NodeBuilder);

impl ResourceApplyAddSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAddSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAddSign {
        ResourceApplyAddSign(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
