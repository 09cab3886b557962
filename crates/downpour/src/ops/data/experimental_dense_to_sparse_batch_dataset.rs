//! `ExperimentalDenseToSparseBatchDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalDenseToSparseBatchDataset(input_dataset, batch_size, row_shape) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_size`: int64
/// * `row_shape`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn experimental_dense_to_sparse_batch_dataset(input_dataset: &Output, batch_size: &Output, row_shape: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalDenseToSparseBatchDataset").input(input_dataset).input(batch_size).input(row_shape);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
