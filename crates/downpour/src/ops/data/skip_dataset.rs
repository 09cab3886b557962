//! `SkipDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SkipDataset(input_dataset, count) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `count`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn skip_dataset(input_dataset: &Output, count: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> SkipDataset {
    let mut node = NodeBuilder::new("SkipDataset").input(input_dataset).input(count);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    SkipDataset(node)
}

/// A `SkipDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SkipDataset(NodeBuilder);

impl SkipDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> SkipDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SkipDataset {
        SkipDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
