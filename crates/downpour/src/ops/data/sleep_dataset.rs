//! `SleepDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SleepDataset(input_dataset, sleep_microseconds) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `sleep_microseconds`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn sleep_dataset(input_dataset: &Output, sleep_microseconds: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("SleepDataset").input(input_dataset).input(sleep_microseconds);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
