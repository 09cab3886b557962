//! `ComplexAbs`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ComplexAbs(x) -> (y)`.
///
/// * `x`: `T` (complex64, complex128)
/// * gives `y`: `Tout` (float, double)
///
/// Differentiable.
pub fn complex_abs(x: &Output) -> ComplexAbs {
    let node = NodeBuilder::new("ComplexAbs").input(x);
    ComplexAbs(node)
}

/// A `ComplexAbs` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ComplexAbs(NodeBuilder);

impl ComplexAbs {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> ComplexAbs {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ComplexAbs {
        ComplexAbs(self.0.name(name))
    }

    /// Adds the node and gives `y`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
