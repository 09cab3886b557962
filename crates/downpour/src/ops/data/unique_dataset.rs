//! `UniqueDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UniqueDataset(input_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn unique_dataset(input_dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> UniqueDataset {
    let mut node = NodeBuilder::new("UniqueDataset").input(input_dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    UniqueDataset(node)
}

/// A `UniqueDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct UniqueDataset(NodeBuilder);

impl UniqueDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> UniqueDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> UniqueDataset {
        UniqueDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
