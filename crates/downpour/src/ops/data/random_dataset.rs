//! `RandomDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RandomDataset(seed, seed2) -> (handle)`.
///
/// * `seed`: int64
/// * `seed2`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn random_dataset(seed: &Output, seed2: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> RandomDataset {
    let mut node = NodeBuilder::new("RandomDataset").input(seed).input(seed2);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    RandomDataset(node)
}

/// A `RandomDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RandomDataset(NodeBuilder);

impl RandomDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> RandomDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RandomDataset {
        RandomDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
