//! `SnapshotDatasetReader`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SnapshotDatasetReader(shard_dir, start_index) -> (handle)`.
///
/// * `shard_dir`: string
/// * `start_index`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * `version`: attribute, int
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn snapshot_dataset_reader(shard_dir: &Output, start_index: &Output, output_types: &[DataType], output_shapes: &[PartialShape], version: i64) -> SnapshotDatasetReader {
    let mut node = NodeBuilder::new("SnapshotDatasetReader").input(shard_dir).input(start_index);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    node.set("version", version.into());
    SnapshotDatasetReader(node)
}

/// A `SnapshotDatasetReader` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SnapshotDatasetReader(NodeBuilder);

impl SnapshotDatasetReader {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> SnapshotDatasetReader {
        self.0.set("compression", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SnapshotDatasetReader {
        SnapshotDatasetReader(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
