//! `SnapshotChunkDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SnapshotChunkDataset(chunk_file) -> (handle)`.
///
/// * `chunk_file`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn snapshot_chunk_dataset(chunk_file: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> SnapshotChunkDataset {
    let mut node = NodeBuilder::new("SnapshotChunkDataset").input(chunk_file);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    SnapshotChunkDataset(node)
}

/// A `SnapshotChunkDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SnapshotChunkDataset(NodeBuilder);

impl SnapshotChunkDataset {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> SnapshotChunkDataset {
        self.0.set("compression", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SnapshotChunkDataset {
        SnapshotChunkDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
