//! `TFRecordDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TFRecordDataset(filenames, compression_type, buffer_size) -> (handle)`.
///
/// * `filenames`: string
/// * `compression_type`: string
/// * `buffer_size`: int64
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn tf_record_dataset(filenames: &Output, compression_type: &Output, buffer_size: &Output) -> TFRecordDataset {
    let node = NodeBuilder::new("TFRecordDataset").input(filenames).input(compression_type).input(buffer_size);
    TFRecordDataset(node)
}

/// A `TFRecordDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TFRecordDataset(NodeBuilder);

impl TFRecordDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> TFRecordDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TFRecordDataset {
        TFRecordDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
