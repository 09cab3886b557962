//! `CacheDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CacheDatasetV2(input_dataset, filename, cache) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `filename`: string
/// * `cache`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn cache_dataset_v2(input_dataset: &Output, filename: &Output, cache: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> CacheDatasetV2 {
    let mut node = NodeBuilder::new("CacheDatasetV2").input(input_dataset).input(filename).input(cache);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    CacheDatasetV2(node)
}

/// A `CacheDatasetV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CacheDatasetV2(NodeBuilder);

impl CacheDatasetV2 {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> CacheDatasetV2 {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CacheDatasetV2 {
        CacheDatasetV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
