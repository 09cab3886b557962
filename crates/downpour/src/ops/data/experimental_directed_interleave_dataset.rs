//! `ExperimentalDirectedInterleaveDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalDirectedInterleaveDataset(selector_input_dataset, data_input_datasets) -> (handle)`.
///
/// * `selector_input_dataset`: variant
/// * `data_input_datasets`: `N` values of variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_directed_interleave_dataset(selector_input_dataset: &Output, data_input_datasets: &[Output], output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalDirectedInterleaveDataset").input(selector_input_dataset).list(data_input_datasets);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
