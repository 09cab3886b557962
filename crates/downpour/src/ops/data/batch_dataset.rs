//! `BatchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchDataset(input_dataset, batch_size) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_size`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn batch_dataset(input_dataset: &Output, batch_size: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> BatchDataset {
    let mut node = NodeBuilder::new("BatchDataset").input(input_dataset).input(batch_size);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    BatchDataset(node)
}

/// A `BatchDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct BatchDataset(NodeBuilder);

impl BatchDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> BatchDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> BatchDataset {
        BatchDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
