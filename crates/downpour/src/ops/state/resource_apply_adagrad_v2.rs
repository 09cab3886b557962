//! `ResourceApplyAdagradV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyAdagradV2(var, accum, lr, epsilon, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_adagrad_v2(
    var: &Output,
    accum: &Output,
    lr: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ResourceApplyAdagradV2 {
    let node = NodeBuilder::new("ResourceApplyAdagradV2")
        .input(var)
        .input(accum)
        .input(lr)
        .input(epsilon)
        .input(grad);
    ResourceApplyAdagradV2(node)
}

/// A `ResourceApplyAdagradV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdagradV2(NodeBuilder);

impl ResourceApplyAdagradV2 {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdagradV2 {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ResourceApplyAdagradV2 {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdagradV2 {
        ResourceApplyAdagradV2(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
