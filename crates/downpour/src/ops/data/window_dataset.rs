//! `WindowDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WindowDataset(input_dataset, size, shift, stride, drop_remainder) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `size`: int64
/// * `shift`: int64
/// * `stride`: int64
/// * `drop_remainder`: bool
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn window_dataset(input_dataset: &Output, size: &Output, shift: &Output, stride: &Output, drop_remainder: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> WindowDataset {
    let mut node = NodeBuilder::new("WindowDataset").input(input_dataset).input(size).input(shift).input(stride).input(drop_remainder);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    WindowDataset(node)
}

/// A `WindowDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct WindowDataset(NodeBuilder);

impl WindowDataset {
    /// The attribute `metadata`; `""` unless set.
    pub fn metadata(mut self, value: &str) -> WindowDataset {
        self.0.set("metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> WindowDataset {
        WindowDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
