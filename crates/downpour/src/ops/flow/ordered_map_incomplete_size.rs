//! `OrderedMapIncompleteSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `OrderedMapIncompleteSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn ordered_map_incomplete_size(graph: &Graph, dtypes: &[DataType]) -> OrderedMapIncompleteSize {
    let mut node = NodeBuilder::in_graph(graph, "OrderedMapIncompleteSize");
    node.set("dtypes", dtypes.to_vec().into());
    OrderedMapIncompleteSize(node)
}

/// A `OrderedMapIncompleteSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct OrderedMapIncompleteSize(NodeBuilder);

impl OrderedMapIncompleteSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> OrderedMapIncompleteSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> OrderedMapIncompleteSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> OrderedMapIncompleteSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> OrderedMapIncompleteSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> OrderedMapIncompleteSize {
        OrderedMapIncompleteSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
