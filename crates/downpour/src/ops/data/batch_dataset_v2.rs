//! `BatchDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchDatasetV2(input_dataset, batch_size, drop_remainder) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_size`: int64
/// * `drop_remainder`: bool
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn batch_dataset_v2(input_dataset: &Output, batch_size: &Output, drop_remainder: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> BatchDatasetV2 {
    let mut node = NodeBuilder::new("BatchDatasetV2").input(input_dataset).input(batch_size).input(drop_remainder);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    BatchDatasetV2(node)
}

/// A `BatchDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchDatasetV2(NodeBuilder);

impl BatchDatasetV2 {
    /// The attribute `parallel_copy`; `false` unless set.
    pub fn parallel_copy(mut self, value: bool) -> BatchDatasetV2 {
        self.0.set("parallel_copy", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> BatchDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchDatasetV2 {
        BatchDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
