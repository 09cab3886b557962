//! `PaddedBatchDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `PaddedBatchDatasetV2(input_dataset, batch_size, padded_shapes, padding_values, drop_remainder) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_size`: int64
/// * `padded_shapes`: `N` values of int64
/// * `padding_values`: several, of types `Toutput_types`
/// * `drop_remainder`: bool
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn padded_batch_dataset_v2(input_dataset: &Output, batch_size: &Output, padded_shapes: &[Output], padding_values: &[Output], drop_remainder: &Output, output_shapes: &[PartialShape]) -> PaddedBatchDatasetV2 {
    let mut node = NodeBuilder::new("PaddedBatchDatasetV2").input(input_dataset).input(batch_size).list(padded_shapes).list(padding_values).input(drop_remainder);
    node.set("output_shapes", output_shapes.to_vec().into());
    PaddedBatchDatasetV2(node)
}

/// A `PaddedBatchDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct PaddedBatchDatasetV2(NodeBuilder);

impl PaddedBatchDatasetV2 {
    /// The attribute `parallel_copy`; `false` unless set.
    pub fn parallel_copy(mut self, value: bool) -> PaddedBatchDatasetV2 {
        self.0.set("parallel_copy", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> PaddedBatchDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> PaddedBatchDatasetV2 {
        PaddedBatchDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
