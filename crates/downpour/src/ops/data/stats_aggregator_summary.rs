//! `StatsAggregatorSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatsAggregatorSummary(iterator) -> (summary)`.
///
/// * `iterator`: resource
/// * gives `summary`: string
///
/// Has no gradient. Has state or effects.
pub fn stats_aggregator_summary(iterator: &Output) -> ForOutput {
    let node = NodeBuilder::new("StatsAggregatorSummary").input(iterator);
    ForOutput(node)
}
