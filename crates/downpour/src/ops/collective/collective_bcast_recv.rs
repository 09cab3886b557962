//! `CollectiveBcastRecv`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CollectiveBcastRecv() -> (data)`.
///
/// * `T`: attribute, type, one of bool, float, half, double, int32, int64
/// * `group_size`: attribute, int
/// * `group_key`: attribute, int
/// * `instance_key`: attribute, int
/// * `shape`: attribute, shape
/// * gives `data`: `T` (bool, float, half, double, int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn collective_bcast_recv(
    graph: &Graph,
    t: DataType,
    group_size: i64,
    group_key: i64,
    instance_key: i64,
    shape: &PartialShape,
) -> CollectiveBcastRecv {
    let mut node = NodeBuilder::in_graph(graph, "CollectiveBcastRecv");
    node.set("T", t.into());
    node.set("group_size", group_size.into());
    node.set("group_key", group_key.into());
    node.set("instance_key", instance_key.into());
    node.set("shape", shape.clone().into());
    CollectiveBcastRecv(node)
}

/// A `CollectiveBcastRecv` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CollectiveBcastRecv(NodeBuilder);

impl CollectiveBcastRecv {
    /// The attribute `communication_hint`; `"auto"` unless set.
    pub fn communication_hint(mut self, value: &str) -> CollectiveBcastRecv {
        self.0.set("communication_hint", text(value));
        self
    }

    /// The attribute `timeout_seconds`; `0.0` unless set.
    pub fn timeout_seconds(mut self, value: f32) -> CollectiveBcastRecv {
        self.0.set("timeout_seconds", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CollectiveBcastRecv {
        CollectiveBcastRecv(self.0.name(name))
    }

    /// Adds the node and gives `data`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
