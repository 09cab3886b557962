//! `SamplingDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SamplingDataset(input_dataset, rate, seed, seed2) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `rate`: float
/// * `seed`: int64
/// * `seed2`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn sampling_dataset(input_dataset: &Output, rate: &Output, seed: &Output, seed2: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("SamplingDataset").input(input_dataset).input(rate).input(seed).input(seed2);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
