//! `BatchSelfAdjointEigV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchSelfAdjointEigV2(input) -> (e, v)`.
///
/// * `input`: `T` (double, float)
/// * gives `e`: `T` (double, float)
/// * gives `v`: `T` (double, float)
///
/// Differentiable.
pub fn batch_self_adjoint_eig_v2(input: &Output) -> BatchSelfAdjointEigV2 {
    let node = NodeBuilder::new("BatchSelfAdjointEigV2").input(input);
    BatchSelfAdjointEigV2(node)
}

/// A `BatchSelfAdjointEigV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchSelfAdjointEigV2(NodeBuilder);

impl BatchSelfAdjointEigV2 {
    /// The attribute `compute_v`; `true` unless set.
    pub fn compute_v(mut self, value: bool) -> BatchSelfAdjointEigV2 {
        self.0.set("compute_v", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchSelfAdjointEigV2 {
        BatchSelfAdjointEigV2(self.0.name(name))
    }

    /// Adds the node and gives (`e`, `v`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
