//! `SelfAdjointEigV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SelfAdjointEigV2(input) -> (e, v)`.
///
/// * `input`: `T` (double, float, half, complex64, complex128)
/// * gives `e`: `T` (double, float, half, complex64, complex128)
/// * gives `v`: `T` (double, float, half, complex64, complex128)
///
/// Differentiable.
pub fn self_adjoint_eig_v2(input: &Output) -> SelfAdjointEigV2 {
    let node = NodeBuilder::new("SelfAdjointEigV2").input(input);
    SelfAdjointEigV2(node)
}

/// A `SelfAdjointEigV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SelfAdjointEigV2(NodeBuilder);

impl SelfAdjointEigV2 {
    /// The attribute `compute_v`; `true` unless set.
    pub fn compute_v(mut self, value: bool) -> SelfAdjointEigV2 {
        self.0.set("compute_v", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SelfAdjointEigV2 {
        SelfAdjointEigV2(self.0.name(name))
    }

    /// Adds the node and gives (`e`, `v`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
