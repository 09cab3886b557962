//! `Imag`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Imag(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `Tout` (float, double)
///
/// Differentiable.
pub fn imag(input: &Output) -> Imag {
    let node = NodeBuilder::new("Imag").input(input);
    Imag(node)
}

/// A `Imag` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Imag(NodeBuilder);

impl Imag {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> Imag {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Imag {
        Imag(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
