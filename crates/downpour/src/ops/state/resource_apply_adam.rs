//! `ResourceApplyAdam`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyAdam(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `m`: resource
/// * `v`: resource
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_adam(
    var: &Output,
    m: &Output,
    v: &Output,
    beta1_power: &Output,
    beta2_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdam {
    let node = NodeBuilder::new("ResourceApplyAdam")
        .input(var)
        .input(m)
        .input(v)
        .input(beta1_power)
        .input(beta2_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdam(node)
}

/// A `ResourceApplyAdam` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdam(NodeBuilder);

impl ResourceApplyAdam {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdam {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceApplyAdam {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdam {
        ResourceApplyAdam(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
