//! `ShuffleDatasetV3`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShuffleDatasetV3(input_dataset, buffer_size, seed, seed2, seed_generator) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `buffer_size`: int64
/// * `seed`: int64
/// * `seed2`: int64
/// * `seed_generator`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn shuffle_dataset_v3(input_dataset: &Output, buffer_size: &Output, seed: &Output, seed2: &Output, seed_generator: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ShuffleDatasetV3 {
    let mut node = NodeBuilder::new("ShuffleDatasetV3").input(input_dataset).input(buffer_size).input(seed).input(seed2).input(seed_generator);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ShuffleDatasetV3(node)
}

/// A `ShuffleDatasetV3` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ShuffleDatasetV3(NodeBuilder);

impl ShuffleDatasetV3 {
    /// The attribute `reshuffle_each_iteration`; `true` unless set.
    pub fn reshuffle_each_iteration(mut self, value: bool) -> ShuffleDatasetV3 {
        self.0.set("reshuffle_each_iteration", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ShuffleDatasetV3 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ShuffleDatasetV3 {
        ShuffleDatasetV3(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
