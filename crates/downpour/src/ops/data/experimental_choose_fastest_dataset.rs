//! `ExperimentalChooseFastestDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalChooseFastestDataset(input_datasets) -> (handle)`.
///
/// * `input_datasets`: `N` values of variant
/// * `num_experiments`: attribute, int
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_choose_fastest_dataset(input_datasets: &[Output], num_experiments: i64, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalChooseFastestDataset").list(input_datasets);
    node.set("num_experiments", num_experiments.into());
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
