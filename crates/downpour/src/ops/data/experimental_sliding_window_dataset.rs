//! `ExperimentalSlidingWindowDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalSlidingWindowDataset(input_dataset, window_size, window_shift, window_stride) -> (handle)`.
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
pub fn experimental_sliding_window_dataset(input_dataset: &Output, window_size: &Output, window_shift: &Output, window_stride: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalSlidingWindowDataset").input(input_dataset).input(window_size).input(window_shift).input(window_stride);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
