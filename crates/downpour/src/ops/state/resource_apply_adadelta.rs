//! `ResourceApplyAdadelta`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyAdadelta(var, accum, accum_update, lr, rho, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `accum_update`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `rho`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_adadelta(
    var: &Output,
    accum: &Output,
    accum_update: &Output,
    lr: &Output,
    rho: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdadelta {
    let node = NodeBuilder::new("ResourceApplyAdadelta")
        .input(var)
        .input(accum)
        .input(accum_update)
        .input(lr)
        .input(rho)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdadelta(node)
}

/// A `ResourceApplyAdadelta` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdadelta(NodeBuilder);

impl ResourceApplyAdadelta {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdadelta {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdadelta {
        ResourceApplyAdadelta(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
