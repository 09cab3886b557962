//! `TFRecordDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TFRecordDatasetV2(filenames, compression_type, buffer_size, byte_offsets) -> (handle)`.
///
/// * `filenames`: string
/// * `compression_type`: string
/// * `buffer_size`: int64
/// * `byte_offsets`: int64
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn tf_record_dataset_v2(filenames: &Output, compression_type: &Output, buffer_size: &Output, byte_offsets: &Output) -> TFRecordDatasetV2 {
    let node = NodeBuilder::new("TFRecordDatasetV2").input(filenames).input(compression_type).input(buffer_size).input(byte_offsets);
    TFRecordDatasetV2(node)
}

/// A `TFRecordDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TFRecordDatasetV2(NodeBuilder);

impl TFRecordDatasetV2 {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> TFRecordDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TFRecordDatasetV2 {
        TFRecordDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
