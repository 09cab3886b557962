//! `AutoShardDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AutoShardDataset(input_dataset, num_workers, index) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `num_workers`: int64
/// * `index`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn auto_shard_dataset(input_dataset: &Output, num_workers: &Output, index: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> AutoShardDataset {
    let mut node = NodeBuilder::new("AutoShardDataset").input(input_dataset).input(num_workers).input(index);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    AutoShardDataset(node)
}

/// A `AutoShardDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AutoShardDataset(NodeBuilder);

impl AutoShardDataset {
    /// The attribute `auto_shard_policy`; `0` unless set.
    pub fn auto_shard_policy(mut self, value: i64) -> AutoShardDataset {
        self.0.set("auto_shard_policy", value.into());
        self
    }

    /// The attribute `num_replicas`; `0` unless set.
    pub fn num_replicas(mut self, value: i64) -> AutoShardDataset {
        self.0.set("num_replicas", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AutoShardDataset {
        AutoShardDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
