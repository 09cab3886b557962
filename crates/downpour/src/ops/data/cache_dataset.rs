//! `CacheDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CacheDataset(input_dataset, filename) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `filename`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn cache_dataset(input_dataset: &Output, filename: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> CacheDataset {
    let mut node = NodeBuilder::new("CacheDataset").input(input_dataset).input(filename);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    CacheDataset(node)
}

/// A `CacheDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CacheDataset(NodeBuilder);

impl CacheDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> CacheDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CacheDataset {
        CacheDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
