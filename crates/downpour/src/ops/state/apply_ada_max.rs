//! `ApplyAdaMax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApplyAdaMax(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `m`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `v`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `beta1_power`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `beta2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `epsilon`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn apply_ada_max(
    var: &Output,
    m: &Output,
    v: &Output,
    beta1_power: &Output,
    lr: &Output,
    beta1: &Output,
    beta2: &Output,
    epsilon: &Output,
    grad: &Output,
) -> ApplyAdaMax {
    let node = NodeBuilder::new("ApplyAdaMax")
        .input(var)
        .input(m)
        .input(v)
        .input(beta1_power)
        .input(lr)
        .input(beta1)
        .input(beta2)
        .input(epsilon)
        .input(grad);
    ApplyAdaMax(node)
}

/// A `ApplyAdaMax` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdaMax(NodeBuilder);

impl ApplyAdaMax {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdaMax {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdaMax {
        ApplyAdaMax(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
