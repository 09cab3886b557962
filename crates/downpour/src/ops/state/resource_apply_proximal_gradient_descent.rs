//! `ResourceApplyProximalGradientDescent`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyProximalGradientDescent(var, alpha, l1, l2, delta) -> ()`.
///
/// * `var`: resource
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l1`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `l2`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_proximal_gradient_descent(
    var: &Output,
    alpha: &Output,
    l1: &Output,
    l2: &Output,
    delta: &Output,
) -> ResourceApplyProximalGradientDescent {
    let node = NodeBuilder::new("ResourceApplyProximalGradientDescent")
        .input(var)
        .input(alpha)
        .input(l1)
        .input(l2)
        .input(delta);
    ResourceApplyProximalGradientDescent(node)
}

/// A `ResourceApplyProximalGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyProximalGradientDescent(NodeBuilder);

impl ResourceApplyProximalGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyProximalGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyProximalGradientDescent {
        ResourceApplyProximalGradientDescent(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
