//! `ResourceApplyAdagrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyAdagrad(var, accum, lr, grad) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
) -> ResourceApplyAdagrad {
    let node =
        NodeBuilder::new("ResourceApplyAdagrad").input(var).input(accum).input(lr).input(grad);
    ResourceApplyAdagrad(node)
}

/// A `ResourceApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdagrad(NodeBuilder);

impl ResourceApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ResourceApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdagrad {
        ResourceApplyAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
