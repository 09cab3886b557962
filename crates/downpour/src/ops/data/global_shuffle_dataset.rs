//! `GlobalShuffleDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GlobalShuffleDataset(input_dataset, seed, seed2, seed_generator) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `seed`: int64
/// * `seed2`: int64
/// * `seed_generator`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn global_shuffle_dataset(input_dataset: &Output, seed: &Output, seed2: &Output, seed_generator: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> GlobalShuffleDataset {
    let mut node = NodeBuilder::new("GlobalShuffleDataset").input(input_dataset).input(seed).input(seed2).input(seed_generator);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    GlobalShuffleDataset(node)
}

/// A `GlobalShuffleDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct GlobalShuffleDataset(NodeBuilder);

impl GlobalShuffleDataset {
    /// The attribute `reshuffle_each_iteration`; `true` unless set.
    pub fn reshuffle_each_iteration(mut self, value: bool) -> GlobalShuffleDataset {
        self.0.set("reshuffle_each_iteration", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> GlobalShuffleDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> GlobalShuffleDataset {
        GlobalShuffleDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
