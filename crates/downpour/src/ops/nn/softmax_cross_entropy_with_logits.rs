//! `SoftmaxCrossEntropyWithLogits`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SoftmaxCrossEntropyWithLogits(features, labels) -> (loss, backprop)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * `labels`: `T` (half, bfloat16, float, double)
/// * gives `loss`: `T` (half, bfloat16, float, double)
/// * gives `backprop`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn softmax_cross_entropy_with_logits(
    features: &Output,
    labels: &Output,
) -> SoftmaxCrossEntropyWithLogits {
    let node = NodeBuilder::new("SoftmaxCrossEntropyWithLogits").input(features).input(labels);
    SoftmaxCrossEntropyWithLogits(node)
}

/// A `SoftmaxCrossEntropyWithLogits` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SoftmaxCrossEntropyWithLogits(NodeBuilder);

impl SoftmaxCrossEntropyWithLogits {
    /// Names the node.
    pub fn name(self, name: &str) -> SoftmaxCrossEntropyWithLogits {
        SoftmaxCrossEntropyWithLogits(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `backprop`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
