//! `TakeDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TakeDataset(input_dataset, count) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `count`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn take_dataset(input_dataset: &Output, count: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> TakeDataset {
    let mut node = NodeBuilder::new("TakeDataset").input(input_dataset).input(count);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    TakeDataset(node)
}

/// A `TakeDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TakeDataset(NodeBuilder);

impl TakeDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> TakeDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TakeDataset {
        TakeDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
