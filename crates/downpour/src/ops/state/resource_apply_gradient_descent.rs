//! `ResourceApplyGradientDescent`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceApplyGradientDescent(var, alpha, delta) -> ()`.
///
/// * `var`: resource
/// * `alpha`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `delta`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Has no gradient. Has state or effects.
pub fn resource_apply_gradient_descent(
    var: &Output,
    alpha: &Output,
    delta: &Output,
) -> ResourceApplyGradientDescent {
    let node =
        NodeBuilder::new("ResourceApplyGradientDescent").input(var).input(alpha).input(delta);
    ResourceApplyGradientDescent(node)
}

/// A `ResourceApplyGradientDescent` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ResourceApplyGradientDescent(NodeBuilder);

impl ResourceApplyGradientDescent {
    /// The attribute `use_locking`; `false` unless set.
    pub fn use_locking(mut self, value: bool) -> ResourceApplyGradientDescent {
        self.0.set("use_locking", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ResourceApplyGradientDescent {
        ResourceApplyGradientDescent(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
