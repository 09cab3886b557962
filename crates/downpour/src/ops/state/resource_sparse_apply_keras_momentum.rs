//! `ResourceSparseApplyKerasMomentum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceSparseApplyKerasMomentum(var, accum, lr, grad, indices, momentum) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
/// * `momentum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_keras_momentum(
    var: &Output,
    accum: &Output,
    lr: &Output,
    grad: &Output,
    indices: &Output,
    momentum: &Output,
) -> ResourceSparseApplyKerasMomentum {
    let node = NodeBuilder::new("ResourceSparseApplyKerasMomentum")
        .input(var)
        .input(accum)
        .input(lr)
        .input(grad)
        .input(indices)
        .input(momentum);
    ResourceSparseApplyKerasMomentum(node)
}

/// A `ResourceSparseApplyKerasMomentum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyKerasMomentum(NodeBuilder);

impl ResourceSparseApplyKerasMomentum {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyKerasMomentum {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `use_nesterov`; `false` unless set.
    pub fn use_nesterov(mut self, value: bool) -> ResourceSparseApplyKerasMomentum {
        self.0.set("use_nesterov", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyKerasMomentum {
        ResourceSparseApplyKerasMomentum(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
