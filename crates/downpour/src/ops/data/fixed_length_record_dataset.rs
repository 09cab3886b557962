//! `FixedLengthRecordDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FixedLengthRecordDataset(filenames, header_bytes, record_bytes, footer_bytes, buffer_size) -> (handle)`.
///
/// * `filenames`: string
/// * `header_bytes`: int64
/// * `record_bytes`: int64
/// * `footer_bytes`: int64
/// * `buffer_size`: int64
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn fixed_length_record_dataset(filenames: &Output, header_bytes: &Output, record_bytes: &Output, footer_bytes: &Output, buffer_size: &Output) -> FixedLengthRecordDataset {
    let node = NodeBuilder::new("FixedLengthRecordDataset").input(filenames).input(header_bytes).input(record_bytes).input(footer_bytes).input(buffer_size);
    FixedLengthRecordDataset(node)
}

/// A `FixedLengthRecordDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FixedLengthRecordDataset(NodeBuilder);

impl FixedLengthRecordDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> FixedLengthRecordDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FixedLengthRecordDataset {
        FixedLengthRecordDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
