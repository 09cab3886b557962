//! `Angle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Angle(input) -> (output)`.
///
/// * `input`: `T` (complex64, complex128)
/// * gives `output`: `Tout` (float, double)
///
/// Differentiable.
pub fn angle(input: &Output) -> Angle {
    let node = NodeBuilder::new("Angle").input(input);
    Angle(node)
}

/// A `Angle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Angle(NodeBuilder);

impl Angle {
    /// The attribute `Tout`; float unless set.
    pub fn tout(mut self, value: DataType) -> Angle {
        self.0.set("Tout", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Angle {
        Angle(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
