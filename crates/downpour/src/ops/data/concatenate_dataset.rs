//! `ConcatenateDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ConcatenateDataset(input_dataset, another_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `another_dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn concatenate_dataset(input_dataset: &Output, another_dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ConcatenateDataset {
    let mut node = NodeBuilder::new("ConcatenateDataset").input(input_dataset).input(another_dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ConcatenateDataset(node)
}

/// A `ConcatenateDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ConcatenateDataset(NodeBuilder);

impl ConcatenateDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> ConcatenateDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ConcatenateDataset {
        ConcatenateDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
