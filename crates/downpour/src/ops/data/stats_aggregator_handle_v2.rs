//! `StatsAggregatorHandleV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StatsAggregatorHandleV2() -> (handle)`.
///
/// * gives `handle`: resource
///
/// Has no gradient. Has state or effects.
pub fn stats_aggregator_handle_v2(graph: &Graph) -> StatsAggregatorHandleV2 {
    let node = NodeBuilder::in_graph(graph, "StatsAggregatorHandleV2");
    StatsAggregatorHandleV2(node)
}

/// A `StatsAggregatorHandleV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StatsAggregatorHandleV2(NodeBuilder);

impl StatsAggregatorHandleV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> StatsAggregatorHandleV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> StatsAggregatorHandleV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StatsAggregatorHandleV2 {
        StatsAggregatorHandleV2(self.0.name(name))
    }

    /// Adds the node and gives `handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
