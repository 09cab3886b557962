//! `FixedLengthRecordDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FixedLengthRecordDatasetV2(filenames, header_bytes, record_bytes, footer_bytes, buffer_size, compression_type) -> (handle)`.
///
/// * `filenames`: string
/// * `header_bytes`: int64
/// * `record_bytes`: int64
/// * `footer_bytes`: int64
/// * `buffer_size`: int64
/// * `compression_type`: string
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn fixed_length_record_dataset_v2(filenames: &Output, header_bytes: &Output, record_bytes: &Output, footer_bytes: &Output, buffer_size: &Output, compression_type: &Output) -> FixedLengthRecordDatasetV2 {
    let node = NodeBuilder::new("FixedLengthRecordDatasetV2").input(filenames).input(header_bytes).input(record_bytes).input(footer_bytes).input(buffer_size).input(compression_type);
    FixedLengthRecordDatasetV2(node)
}

/// A `FixedLengthRecordDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FixedLengthRecordDatasetV2(NodeBuilder);

impl FixedLengthRecordDatasetV2 {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> FixedLengthRecordDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FixedLengthRecordDatasetV2 {
        FixedLengthRecordDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
