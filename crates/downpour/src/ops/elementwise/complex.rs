//! `Complex`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Complex(real, imag) -> (out)`.
///
/// * `real`: `T` (float, double)
/// * `imag`: `T` (float, double)
/// * gives `out`: `Tout` (complex64, complex128)
///
/// Differentiable.
pub fn complex(real: &Output, imag: &Output) -> Complex {
    let node = NodeBuilder::new("Complex").input(real).input(imag);
    Complex(node)
}

/// A `Complex` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Complex(NodeBuilder);

impl Complex {
    /// The attribute `Tout`; complex64 unless set.
    pub fn tout(mut self, value: DataType) -> Complex {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Complex {
        Complex(self.0.name(name))
    }

    /// Adds the node and gives `out`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
