//! `Cumsum`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Cumsum(x, axis) -> (out)`.
///
/// * `x`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
/// * `axis`: `Tidx` (int32, int64)
/// * gives `out`: `T` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Differentiable.
pub fn cumsum(x: &Output, axis: &Output) -> Cumsum {
    let node = NodeBuilder::new("Cumsum").input(x).input(axis);
    Cumsum(node)
}

/// A `Cumsum` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Cumsum(NodeBuilder);

impl Cumsum {
    /// The attribute `exclusive`; `false` unless set.
    pub fn exclusive(mut self, value: bool) -> Cumsum {
        self.0.set("exclusive", value.into());
        self
    }

    /// The attribute `reverse`; `false` unless set.
    pub fn reverse(mut self, value: bool) -> Cumsum {
        self.0.set("reverse", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Cumsum {
        Cumsum(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
