//! `ZipDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ZipDataset(input_datasets) -> (handle)`.
///
/// * `input_datasets`: `N` values of variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn zip_dataset(input_datasets: &[Output], output_types: &[DataType], output_shapes: &[PartialShape]) -> ZipDataset {
    let mut node = NodeBuilder::new("ZipDataset").list(input_datasets);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ZipDataset(node)
}

/// A `ZipDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ZipDataset(NodeBuilder);

impl ZipDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ZipDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ZipDataset {
        ZipDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
