//! `ResourceApplyAdagradDA`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyAdagradDA(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step) -> ()`.
///
/// * `var`: resource
/// * `gradient_accumulator`: resource
/// * `gradient_squared_accumulator`: resource
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `global_step`: int64
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn resource_apply_adagrad_da(
    var: &Output,
    gradient_accumulator: &Output,
    gradient_squared_accumulator: &Output,
    grad: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    global_step: &Output,
) -> ResourceApplyAdagradDA {
    let node = NodeBuilder::new("ResourceApplyAdagradDA")
        .input(var)
        .input(gradient_accumulator)
        .input(gradient_squared_accumulator)
        .input(grad)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(global_step);
    ResourceApplyAdagradDA(node)
}

/// A `ResourceApplyAdagradDA` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyAdagradDA(NodeBuilder);

impl ResourceApplyAdagradDA {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyAdagradDA {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyAdagradDA {
        ResourceApplyAdagradDA(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
