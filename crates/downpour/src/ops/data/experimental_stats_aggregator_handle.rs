//! `ExperimentalStatsAggregatorHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalStatsAggregatorHandle() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn experimental_stats_aggregator_handle(graph: &Graph) -> ExperimentalStatsAggregatorHandle {
    let node = NodeBuilder::in_graph(graph, "ExperimentalStatsAggregatorHandle");
    ExperimentalStatsAggregatorHandle(node)
}

/// A `ExperimentalStatsAggregatorHandle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExperimentalStatsAggregatorHandle(NodeBuilder);

impl ExperimentalStatsAggregatorHandle {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> ExperimentalStatsAggregatorHandle {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> ExperimentalStatsAggregatorHandle {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExperimentalStatsAggregatorHandle {
        ExperimentalStatsAggregatorHandle(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
