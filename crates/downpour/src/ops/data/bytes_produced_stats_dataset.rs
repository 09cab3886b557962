//! `BytesProducedStatsDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BytesProducedStatsDataset(input_dataset, tag) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `tag`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient.
pub fn bytes_produced_stats_dataset(input_dataset: &Output, tag: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("BytesProducedStatsDataset").input(input_dataset).input(tag);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
