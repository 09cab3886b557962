//! `BiasAddGrad`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BiasAddGrad(out_backprop) -> (output)`.
///
/// * `out_backprop`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `output`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn bias_add_grad(out_backprop: &Output) -> BiasAddGrad {
    let node = NodeBuilder::new("BiasAddGrad").input(out_backprop);
    BiasAddGrad(node)
}

/// A `BiasAddGrad` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BiasAddGrad(NodeBuilder);

impl BiasAddGrad {
    /// The attribute `data_format`; `"NHWC"` unless set.
    pub fn data_format(mut self, value: &str) -> BiasAddGrad {
        self.0.set("data_format", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BiasAddGrad {
        BiasAddGrad(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
