//! `MapSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MapSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_size(graph: &Graph, dtypes: &[DataType]) -> MapSize {
    let mut node = NodeBuilder::in_graph(graph, "MapSize");
    node.set("dtypes", dtypes.to_vec().into());
    MapSize(node)
}

/// A `MapSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapSize(NodeBuilder);

impl MapSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapSize {
        MapSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
