//! `PaddedBatchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PaddedBatchDataset(input_dataset, batch_size, padded_shapes, padding_values) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_size`: int64
/// * `padded_shapes`: `N` values of int64
/// * `padding_values`: several, of types `Toutput_types`
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn padded_batch_dataset(input_dataset: &Output, batch_size: &Output, padded_shapes: &[Output], padding_values: &[Output], output_shapes: &[PartialShape]) -> PaddedBatchDataset {
    let mut node = NodeBuilder::new("PaddedBatchDataset").input(input_dataset).input(batch_size).list(padded_shapes).list(padding_values);
    node.set("output_shapes", output_shapes.to_vec().into());
    PaddedBatchDataset(node)
}

/// A `PaddedBatchDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PaddedBatchDataset(NodeBuilder);

impl PaddedBatchDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> PaddedBatchDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PaddedBatchDataset {
        PaddedBatchDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
