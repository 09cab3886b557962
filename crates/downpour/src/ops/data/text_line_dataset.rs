//! `TextLineDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TextLineDataset(filenames, compression_type, buffer_size) -> (handle)`.
///
/// * `filenames`: string
/// * `compression_type`: string
/// * `buffer_size`: int64
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn text_line_dataset(filenames: &Output, compression_type: &Output, buffer_size: &Output) -> TextLineDataset {
    let node = NodeBuilder::new("TextLineDataset").input(filenames).input(compression_type).input(buffer_size);
    TextLineDataset(node)
}

/// A `TextLineDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TextLineDataset(NodeBuilder);

impl TextLineDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> TextLineDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TextLineDataset {
        TextLineDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
