//! `SnapshotDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SnapshotDataset(input_dataset, path) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `path`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn snapshot_dataset(input_dataset: &Output, path: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> SnapshotDataset {
    let mut node = NodeBuilder::new("SnapshotDataset").input(input_dataset).input(path);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    SnapshotDataset(node)
}

/// A `SnapshotDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SnapshotDataset(NodeBuilder);

impl SnapshotDataset {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> SnapshotDataset {
        self.0.set("compression", text(value));
        self
    }

    /// The attribute `reader_path_prefix`; `""` unless set.
    pub fn reader_path_prefix(mut self, value: &str) -> SnapshotDataset {
        self.0.set("reader_path_prefix", text(value));
        self
    }

    /// The attribute `writer_path_prefix`; `""` unless set.
    pub fn writer_path_prefix(mut self, value: &str) -> SnapshotDataset {
        self.0.set("writer_path_prefix", text(value));
        self
    }

    /// The attribute `shard_size_bytes`; `10737418240` unless set.
    pub fn shard_size_bytes(mut self, value: i64) -> SnapshotDataset {
        self.0.set("shard_size_bytes", value.into());
        self
    }

    /// The attribute `pending_snapshot_expiry_seconds`; `86400` unless set.
    pub fn pending_snapshot_expiry_seconds(mut self, value: i64) -> SnapshotDataset {
        self.0.set("pending_snapshot_expiry_seconds", value.into());
        self
    }

    /// The attribute `num_reader_threads`; `1` unless set.
    pub fn num_reader_threads(mut self, value: i64) -> SnapshotDataset {
        self.0.set("num_reader_threads", value.into());
        self
    }

    /// The attribute `reader_buffer_size`; `1` unless set.
    pub fn reader_buffer_size(mut self, value: i64) -> SnapshotDataset {
        self.0.set("reader_buffer_size", value.into());
        self
    }

    /// The attribute `num_writer_threads`; `1` unless set.
    pub fn num_writer_threads(mut self, value: i64) -> SnapshotDataset {
        self.0.set("num_writer_threads", value.into());
        self
    }

    /// The attribute `writer_buffer_size`; `1` unless set.
    pub fn writer_buffer_size(mut self, value: i64) -> SnapshotDataset {
        self.0.set("writer_buffer_size", value.into());
        self
    }

    /// The attribute `shuffle_on_read`; `false` unless set.
    pub fn shuffle_on_read(mut self, value: bool) -> SnapshotDataset {
        self.0.set("shuffle_on_read", value.into());
        self
    }

    /// The attribute `seed`; `0` unless set.
    pub fn seed(mut self, value: i64) -> SnapshotDataset {
        self.0.set("seed", value.into());
        self
    }

    /// The attribute `seed2`; `0` unless set.
    pub fn seed2(mut self, value: i64) -> SnapshotDataset {
        self.0.set("seed2", value.into());
        self
    }

    /// The attribute `mode`; `"auto"` unless set.
    pub fn mode(mut self, value: &str) -> SnapshotDataset {
        self.0.set("mode", text(value));
        self
    }

    /// The attribute `snapshot_name`; `""` unless set.
    pub fn snapshot_name(mut self, value: &str) -> SnapshotDataset {
        self.0.set("snapshot_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SnapshotDataset {
        SnapshotDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
