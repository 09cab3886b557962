//! `RandomDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomDatasetV2(seed, seed2, seed_generator) -> (handle)`.
///
/// * `seed`: int64
/// * `seed2`: int64
/// * `seed_generator`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn random_dataset_v2(seed: &Output, seed2: &Output, seed_generator: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> RandomDatasetV2 {
    let mut node = NodeBuilder::new("RandomDatasetV2").input(seed).input(seed2).input(seed_generator);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    RandomDatasetV2(node)
}

/// A `RandomDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomDatasetV2(NodeBuilder);

impl RandomDatasetV2 {
    /// The attribute `rerandomize_each_iteration`; `false` unless set.
    pub fn rerandomize_each_iteration(mut self, value: bool) -> RandomDatasetV2 {
        self.0.set("rerandomize_each_iteration", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> RandomDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomDatasetV2 {
        RandomDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
