//! `ShardDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShardDataset(input_dataset, num_shards, index) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `num_shards`: int64
/// * `index`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn shard_dataset(input_dataset: &Output, num_shards: &Output, index: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ShardDataset {
    let mut node = NodeBuilder::new("ShardDataset").input(input_dataset).input(num_shards).input(index);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ShardDataset(node)
}

/// A `ShardDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ShardDataset(NodeBuilder);

impl ShardDataset {
    /// The attribute `require_non_empty`; `false` unless set.
    pub fn require_non_empty(mut self, value: bool) -> ShardDataset {
        self.0.set("require_non_empty", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ShardDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ShardDataset {
        ShardDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
