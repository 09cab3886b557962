//! `ResourceApplyProximalAdagrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyProximalAdagrad(var, accum, lr, l1, l2, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_proximal_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
) -> ResourceApplyProximalAdagrad {
    let node = NodeBuilder::new("ResourceApplyProximalAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(grad);
    ResourceApplyProximalAdagrad(node)
}

/// A `ResourceApplyProximalAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyProximalAdagrad(NodeBuilder);

impl ResourceApplyProximalAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyProximalAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyProximalAdagrad {
        ResourceApplyProximalAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
