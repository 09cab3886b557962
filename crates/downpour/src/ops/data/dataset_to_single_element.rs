//! `DatasetToSingleElement`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DatasetToSingleElement(dataset) -> (components)`.
///
/// * `dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `components`: several, of types `output_types`
///
/// Has no gradient. Has state or effects.
pub fn dataset_to_single_element(dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> DatasetToSingleElement {
    let mut node = NodeBuilder::new("DatasetToSingleElement").input(dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    DatasetToSingleElement(node)
}

/// A `DatasetToSingleElement` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DatasetToSingleElement(NodeBuilder);

impl DatasetToSingleElement {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> DatasetToSingleElement {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DatasetToSingleElement {
        DatasetToSingleElement(self.0.name(name))
    }

    /// Adds the node and gives `components`.
    pub fn build(self) -> Result<Vec<Output>> {
        self.0.outputs()
    }
}
