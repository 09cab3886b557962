//! `ShuffleAndRepeatDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShuffleAndRepeatDatasetV2(input_dataset, buffer_size, seed, seed2, count, seed_generator) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `buffer_size`: int64
/// * `seed`: int64
/// * `seed2`: int64
/// * `count`: int64
/// * `seed_generator`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn shuffle_and_repeat_dataset_v2(input_dataset: &Output, buffer_size: &Output, seed: &Output, seed2: &Output, count: &Output, seed_generator: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ShuffleAndRepeatDatasetV2 {
    let mut node = NodeBuilder::new("ShuffleAndRepeatDatasetV2").input(input_dataset).input(buffer_size).input(seed).input(seed2).input(count).input(seed_generator);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ShuffleAndRepeatDatasetV2(node)
}

/// A `ShuffleAndRepeatDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ShuffleAndRepeatDatasetV2(NodeBuilder);

impl ShuffleAndRepeatDatasetV2 {
    /// The attribute `reshuffle_each_iteration`; `true` unless set.
    pub fn reshuffle_each_iteration(mut self, value: bool) -> ShuffleAndRepeatDatasetV2 {
        self.0.set("reshuffle_each_iteration", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ShuffleAndRepeatDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ShuffleAndRepeatDatasetV2 {
        ShuffleAndRepeatDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
