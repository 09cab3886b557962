//! `RebatchDatasetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RebatchDatasetV2(input_dataset, batch_sizes, drop_remainder) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `batch_sizes`: int64
/// * `drop_remainder`: bool
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn rebatch_dataset_v2(input_dataset: &Output, batch_sizes: &Output, drop_remainder: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("RebatchDatasetV2").input(input_dataset).input(batch_sizes).input(drop_remainder);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
