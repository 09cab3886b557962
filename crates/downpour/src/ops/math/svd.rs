//! `Svd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `Svd(input) -> (s, u, v)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `s`: `T` (double, float, half, complex64, complex128)
/// * gives `u`: `T` (double, float, half, complex64, complex128)
/// * gives `v`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn svd(input: &Output) -> Svd {
    let node = NodeBuilder::new("Svd").input(input);
    Svd(node)
}

/// A `Svd` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct Svd(NodeBuilder);

impl Svd {
    /// The attribute `compute_uv`; `true` unless set.
    pub fn compute_uv(mut self, value: bool) -> Svd {
        self.0.set("compute_uv", value.into());
        self
    }

    /// The attribute `full_matrices`; `false` unless set.
    pub fn full_matrices(mut self, value: bool) -> Svd {
        self.0.set("full_matrices", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> Svd {
        Svd(self.0.name(name))
    }

    /// Adds the node and gives (`s`, `u`, `v`).
    pub fn build(self) -> Result<(Output, Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?, operation.output(2)?))
    }
}
