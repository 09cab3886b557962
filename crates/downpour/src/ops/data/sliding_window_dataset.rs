//! `SlidingWindowDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SlidingWindowDataset(input_dataset, window_size, window_shift, window_stride) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `window_size`: int64
/// * `window_shift`: int64
/// * `window_stride`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn sliding_window_dataset(input_dataset: &Output, window_size: &Output, window_shift: &Output, window_stride: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> SlidingWindowDataset {
    let mut node = NodeBuilder::new("SlidingWindowDataset").input(input_dataset).input(window_size).input(window_shift).input(window_stride);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    SlidingWindowDataset(node)
}

/// A `SlidingWindowDataset` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SlidingWindowDataset(NodeBuilder);

impl SlidingWindowDataset {
    /// The attribute `drop_remainder`; `true` unless set.
    pub fn drop_remainder(mut self, value: bool) -> SlidingWindowDataset {
        self.0.set("drop_remainder", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SlidingWindowDataset {
        SlidingWindowDataset(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
