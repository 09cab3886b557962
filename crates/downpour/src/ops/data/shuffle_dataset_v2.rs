//! `ShuffleDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShuffleDatasetV2(input_dataset, buffer_size, seed_generator) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `buffer_size`: int64
/// * `seed_generator`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn shuffle_dataset_v2(input_dataset: &Output, buffer_size: &Output, seed_generator: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ShuffleDatasetV2 {
    let mut node = NodeBuilder::new("ShuffleDatasetV2").input(input_dataset).input(buffer_size).input(seed_generator);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ShuffleDatasetV2(node)
}

/// A `ShuffleDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ShuffleDatasetV2(NodeBuilder);

impl ShuffleDatasetV2 {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ShuffleDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ShuffleDatasetV2 {
        ShuffleDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
