//! `ResourceSparseApplyProximalAdagrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceSparseApplyProximalAdagrad(var, accum, lr, l1, l2, grad, indices) -> ()`.
///
/// * `var`: resource
/// * `accum`: resource
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `indices`: `Tindices` (int32, int64)
///
/// Has no gradient. Has state or effects.
pub fn resource_sparse_apply_proximal_adagrad(
    var: &Output,
    accum: &Output,
    lr: &Output,
    l1: &Output,
    l2: &Output,
    grad: &Output,
    indices: &Output,
) -> ResourceSparseApplyProximalAdagrad {
    let node = NodeBuilder::new("ResourceSparseApplyProximalAdagrad")
        .input(var)
        .input(accum)
        .input(lr)
        .input(l1)
        .input(l2)
        .input(grad)
        .input(indices);
    ResourceSparseApplyProximalAdagrad(node)
}

/// A `ResourceSparseApplyProximalAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceSparseApplyProximalAdagrad(NodeBuilder);

impl ResourceSparseApplyProximalAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceSparseApplyProximalAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceSparseApplyProximalAdagrad {
        ResourceSparseApplyProximalAdagrad(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
