//! `ResourceApplyFtrl`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyFtrl(var, accum, linear, grad, lr, l1, l2, lr_power) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `linear`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_ftrl(
    var: &Output,
    accum: &Output,
    linear: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    lr_power: &Output,
) -> ResourceApplyFtrl {
    let node = NodeBuilder::new("ResourceApplyFtrl")
        .input(var)
        .input(accum)
        .input(linear)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(lr_power);
    ResourceApplyFtrl(node)
}

/// A `ResourceApplyFtrl` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyFtrl(NodeBuilder);

impl ResourceApplyFtrl {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyFtrl {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `multiply_linear_by_lr`; `false` unless set.
    pub fn multiply_linear_by_lr(mut self, value: bool) -> ResourceApplyFtrl {
        self.0.set("multiply_linear_by_lr", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyFtrl {
        ResourceApplyFtrl(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
