//! `Qr`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Qr(input) -> (q, r)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `q`: `T` (double, float, half, complex64, complex128)
/// * gives `r`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn qr(input: &Output) -> Qr {
    let node = NodeBuilder::new("Qr").input(input);
    Qr(node)
}

/// A `Qr` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Qr(NodeBuilder);

impl Qr {
    /// The attribute `full_matrices`; `false` unless set.
    pub fn full_matrices(mut self, value: bool) -> Qr {
        self.0.set("full_matrices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Qr {
        Qr(self.0.name(name))
    }

    /// Adds the node and gives (`q`, `r`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
