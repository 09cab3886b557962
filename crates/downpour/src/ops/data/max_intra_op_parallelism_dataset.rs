//! `MaxIntraOpParallelismDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MaxIntraOpParallelismDataset(input_dataset, max_intra_op_parallelism) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `max_intra_op_parallelism`: int64
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn max_intra_op_parallelism_dataset(input_dataset: &Output, max_intra_op_parallelism: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("MaxIntraOpParallelismDataset").input(input_dataset).input(max_intra_op_parallelism);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
