//! `FinalizeDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FinalizeDataset(input_dataset) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn finalize_dataset(input_dataset: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> FinalizeDataset {
    let mut node = NodeBuilder::new("FinalizeDataset").input(input_dataset);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    FinalizeDataset(node)
}

/// A `FinalizeDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FinalizeDataset(NodeBuilder);

impl FinalizeDataset {
    /// The attribute `has_captured_ref`; `false` unless set.
    pub fn has_captured_ref(mut self, value: bool) -> FinalizeDataset {
        self.0.set("has_captured_ref", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FinalizeDataset {
        FinalizeDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
