//! `ApplyGradientDescent`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApplyGradientDescent(var, alpha, delta) -> (out)`.
///
/// * `var`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64), a reference
///
/// Has no gradient.
pub fn apply_gradient_descent(
    var: &Output,
    alpha: &Output,
    delta: &Output,
) -> ApplyGradientDescent {
    let node = NodeBuilder::new("ApplyGradientDescent").input(var).input(alpha).input(delta);
    ApplyGradientDescent(node)
}

/// A `ApplyGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApplyGradientDescent(NodeBuilder);

impl ApplyGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ApplyGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApplyGradientDescent {
        ApplyGradientDescent(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
