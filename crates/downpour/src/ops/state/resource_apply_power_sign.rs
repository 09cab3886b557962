//! `ResourceApplyPowerSign`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyPowerSign(var, m, lr, logbase, sign_decay, beta, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `logbase`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `sign_decay`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_power_sign(
    var: &Output,
    m: &Output,
    lr: &Output,
    logbase: &Output,
    sign_decay: &Output,
    beta: &Output,
    grad: &Output,
) -> ResourceApplyPowerSign {
    let node = NodeBuilder::new("ResourceApplyPowerSign")
        .input(var)
        .input(m)
        .input(lr)
        .input(logbase)
        .input(sign_decay)
        .input(beta)
        .input(grad);
    ResourceApplyPowerSign(node)
}

/// A `ResourceApplyPowerSign` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyPowerSign(NodeBuilder);

impl ResourceApplyPowerSign {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyPowerSign {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyPowerSign {
        ResourceApplyPowerSign(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
