//! `SparseSoftmaxCrossEntropyWithLogits`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SparseSoftmaxCrossEntropyWithLogits(features, labels) -> (loss, backprop)`.
///
/// * `features`: `T` (half, bfloat16, float, double)
/// * `labels`: `Tlabels` (int32, int64)
/// * gives `loss`: `T` (half, bfloat16, float, double)
/// * gives `backprop`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn sparse_softmax_cross_entropy_with_logits(
    features: &Output,
    labels: &Output,
) -> SparseSoftmaxCrossEntropyWithLogits {
    let node =
        NodeBuilder::new("SparseSoftmaxCrossEntropyWithLogits").input(features).input(labels);
    SparseSoftmaxCrossEntropyWithLogits(node)
}

/// A `SparseSoftmaxCrossEntropyWithLogits` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SparseSoftmaxCrossEntropyWithLogits(NodeBuilder);

impl SparseSoftmaxCrossEntropyWithLogits {
    /// Names the node.
    pub fn name(self, name: &str) -> SparseSoftmaxCrossEntropyWithLogits {
        SparseSoftmaxCrossEntropyWithLogits(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `backprop`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
