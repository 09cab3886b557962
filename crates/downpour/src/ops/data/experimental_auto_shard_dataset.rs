//! `ExperimentalAutoShardDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalAutoShardDataset(input_dataset, num_workers, index) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `num_workers`: int64
/// * `index`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_auto_shard_dataset(input_dataset: &Output, num_workers: &Output, index: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ExperimentalAutoShardDataset {
    let mut node = NodeBuilder::new("ExperimentalAutoShardDataset").input(input_dataset).input(num_workers).input(index);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ExperimentalAutoShardDataset(node)
}

/// A `ExperimentalAutoShardDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalAutoShardDataset(NodeBuilder);

impl ExperimentalAutoShardDataset {
    /// The attribute `auto_shard_policy`; `0` unless set.
    pub fn auto_shard_policy(mut self, value: i64) -> ExperimentalAutoShardDataset {
        self.0.set("auto_shard_policy", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalAutoShardDataset {
        ExperimentalAutoShardDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
