//! `ResourceApplyMomentum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyMomentum(var, accum, lr, grad, momentum) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    momentum: &Output,
) -> ResourceApplyMomentum {
    let node = NodeBuilder::new("ResourceApplyMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(momentum);
    ResourceApplyMomentum(node)
}

/// A `ResourceApplyMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyMomentum(NodeBuilder);

impl ResourceApplyMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceApplyMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyMomentum {
        ResourceApplyMomentum(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
