//! `OptionsDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OptionsDataset(input_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `serialized_options`: attribute, string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn options_dataset(input_dataset: &Output, serialized_options: &str, output_types: &[DataType], output_shapes: &[PartialShape]) -> OptionsDataset {
    let mut node = NodeBuilder::new("OptionsDataset").input(input_dataset);
    node.set("serialized_options", text(serialized_options));
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    OptionsDataset(node)
}

/// A `OptionsDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OptionsDataset(NodeBuilder);

impl OptionsDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> OptionsDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OptionsDataset {
        OptionsDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
