//! `StatsAggregatorHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatsAggregatorHandle() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn stats_aggregator_handle(graph: &Graph) -> StatsAggregatorHandle {
    let node = NodeBuilder::in_graph(graph, "StatsAggregatorHandle");
    StatsAggregatorHandle(node)
}

/// A `StatsAggregatorHandle` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatsAggregatorHandle(NodeBuilder);

impl StatsAggregatorHandle {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> StatsAggregatorHandle {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> StatsAggregatorHandle {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatsAggregatorHandle {
        StatsAggregatorHandle(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
