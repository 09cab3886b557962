//! `ApproximateEqual`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ApproximateEqual(x, y) -> (z)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `y`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * gives `z`: bool
///
/// Gradients do not flow through it.
pub fn approximate_equal(x: &Output, y: &Output) -> ApproximateEqual {
    let node = NodeBuilder::new("ApproximateEqual").input(x).input(y);
    ApproximateEqual(node)
}

/// A `ApproximateEqual` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ApproximateEqual(NodeBuilder);

impl ApproximateEqual {
    /// The attribute `tolerance`; `1e-5` unless set.
    pub fn tolerance(mut self, value: f32) -> ApproximateEqual {
        self.0.set("tolerance", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ApproximateEqual {
        ApproximateEqual(self.0.name(name))
    }

    /// Adds the node and gives `z`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
