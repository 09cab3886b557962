//! `SnapshotDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SnapshotDatasetV2(input_dataset, path, reader_func_other_args, shard_func_other_args) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `path`: string
/// * `reader_func_other_args`: several, of types `Treader_func_args`
/// * `shard_func_other_args`: several, of types `Tshard_func_args`
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * `reader_func`: attribute, func
/// * `shard_func`: attribute, func
/// * gives `handle`: variant
///
/// Has no gradient.
#[allow(clippy::too_many_arguments)] // as many as the operation has
pub fn snapshot_dataset_v2(input_dataset: &Output, path: &Output, reader_func_other_args: &[Output], shard_func_other_args: &[Output], output_types: &[DataType], output_shapes: &[PartialShape], reader_func: &Function, shard_func: &Function) -> SnapshotDatasetV2 {
    let mut node = NodeBuilder::new("SnapshotDatasetV2").input(input_dataset).input(path).list(reader_func_other_args).list(shard_func_other_args);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    node.set("reader_func", reader_func.clone().into());
    node.set("shard_func", shard_func.clone().into());
    SnapshotDatasetV2(node)
}

/// A `SnapshotDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SnapshotDatasetV2(NodeBuilder);

impl SnapshotDatasetV2 {
    /// The attribute `compression`; `""` unless set.
    pub fn compression(mut self, value: &str) -> SnapshotDatasetV2 {
        self.0.set("compression", text(value));
        self
    }

    /// The attribute `reader_prefix`; `""` unless set.
    pub fn reader_prefix(mut self, value: &str) -> SnapshotDatasetV2 {
        self.0.set("reader_prefix", text(value));
        self
    }

    /// The attribute `writer_prefix`; `""` unless set.
    pub fn writer_prefix(mut self, value: &str) -> SnapshotDatasetV2 {
        self.0.set("writer_prefix", text(value));
        self
    }

    /// The attribute `hash_valid`; `false` unless set.
    pub fn hash_valid(mut self, value: bool) -> SnapshotDatasetV2 {
        self.0.set("hash_valid", value.into());
        self
    }

    /// The attribute `hash`; `0` unless set.
    pub fn hash(mut self, value: i64) -> SnapshotDatasetV2 {
        self.0.set("hash", value.into());
        self
    }

    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> SnapshotDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SnapshotDatasetV2 {
        SnapshotDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
