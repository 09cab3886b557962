//! `ExperimentalSetStatsAggregatorDataset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalSetStatsAggregatorDataset(input_dataset, stats_aggregator, tag, counter_prefix) -> (handle)`.
///
/// * `input_dataset`: variant
/// * `stats_aggregator`: resource
/// * `tag`: string
/// * `counter_prefix`: string
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `handle`: variant
///
/// Has no gradient. Has state or effects.
pub fn experimental_set_stats_aggregator_dataset(input_dataset: &Output, stats_aggregator: &Output, tag: &Output, counter_prefix: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("ExperimentalSetStatsAggregatorDataset").input(input_dataset).input(stats_aggregator).input(tag).input(counter_prefix);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
