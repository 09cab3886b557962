//! `CTCLoss`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CTCLoss(inputs, labels_indices, labels_values, sequence_length) -> (loss, gradient)`.
///
/// * `inputs`: `T` (float, double)
/// * `labels_indices`: int64
/// * `labels_values`: int32
/// * `sequence_length`: int32
/// * gives `loss`: `T` (float, double)
/// * gives `gradient`: `T` (float, double)
///
/// Differentiable.
pub fn ctc_loss(
    inputs: &Output,
    labels_indices: &Output,
    labels_values: &Output,
    sequence_length: &Output,
) -> CTCLoss {
    let node = NodeBuilder::new("CTCLoss")
        .input(inputs)
        .input(labels_indices)
        .input(labels_values)
        .input(sequence_length);
    CTCLoss(node)
}

/// A `CTCLoss` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCLoss(NodeBuilder);

impl CTCLoss {
    /// The attribute `preprocess_collapse_repeated`; `false` unless set.
    pub fn preprocess_collapse_repeated(mut self, value: bool) -> CTCLoss {
        self.0.set("preprocess_collapse_repeated", value.into());
        self
    }

    /// The attribute `ctc_merge_repeated`; `true` unless set.
    pub fn ctc_merge_repeated(mut self, value: bool) -> CTCLoss {
        self.0.set("ctc_merge_repeated", value.into());
        self
    }

    /// The attribute `ignore_longer_outputs_than_inputs`; `false` unless set.
    pub fn ignore_longer_outputs_than_inputs(mut self, value: bool) -> CTCLoss {
        self.0.set("ignore_longer_outputs_than_inputs", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCLoss {
        CTCLoss(self.0.name(name))
    }

    /// Adds the node and gives (`loss`, `gradient`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
