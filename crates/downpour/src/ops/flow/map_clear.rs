//! `MapClear`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MapClear() -> ()`.
///
/// * `dtypes`: attribute, list(type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn map_clear(graph: &Graph, dtypes: &[DataType]) -> MapClear {
    let mut node = NodeBuilder::in_graph(graph, "MapClear");
    node.set("dtypes", dtypes.to_vec().into());
    MapClear(node)
}

/// A `MapClear` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MapClear(NodeBuilder);

impl MapClear {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> MapClear {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> MapClear {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MapClear {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MapClear {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MapClear {
        MapClear(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
