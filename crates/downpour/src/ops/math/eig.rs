//! `Eig`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Eig(input) -> (e, v)`.
///
/// * `input`: `T` (float, double, complex64, complex128)
/// * `Tout`: attribute, type, one of complex64, complex128
/// * gives `e`: `Tout` (complex64, complex128)
/// * gives `v`: `Tout` (complex64, complex128)
///
/// Differentiable.
pub fn eig(input: &Output, tout: DataType) -> Eig {
    let mut node = NodeBuilder::new("Eig").input(input);
    node.set("Tout", tout.into());
    Eig(node)
}

/// A `Eig` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Eig(NodeBuilder);

impl Eig {
    /// The attribute `compute_v`; `true` unless set.
    pub fn compute_v(mut self, value: bool) -> Eig {
        self.0.set("compute_v", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Eig {
        Eig(self.0.name(name))
    }

    /// Adds the node and gives (`e`, `v`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
