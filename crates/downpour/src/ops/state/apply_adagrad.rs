//! `ApplyAdagrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApplyAdagrad(var, accum, lr, grad) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `accum`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `lr`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `grad`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_adagrad(var: &Output, accum: &Output, lr: &Output, grad: &Output) -> ApplyAdagrad {
    let node = NodeBuilder::new("ApplyAdagrad").input(var).input(accum).input(lr).input(grad);
    ApplyAdagrad(node)
}

/// A `ApplyAdagrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyAdagrad(NodeBuilder);

impl ApplyAdagrad {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyAdagrad {
        self.0.set("use_locking", value.into());
        self
    }

    /// The attribute `update_slots`; `true` unless set.
    pub fn update_slots(mut self, value: bool) -> ApplyAdagrad {
        self.0.set("update_slots", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyAdagrad {
        ApplyAdagrad(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
