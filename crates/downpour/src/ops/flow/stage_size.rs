//! `StageSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `StageSize() -> (size)`.
///
/// * `dtypes`: attribute, list(type)
/// * gives `size`: int32
///
/// Gradients do not flow through it. Has state or effects.
pub fn stage_size(graph: &Graph, dtypes: &[DataType]) -> StageSize {
    let mut node = NodeBuilder::in_graph(graph, "StageSize");
    node.set("dtypes", dtypes.to_vec().into());
    StageSize(node)
}

/// A `StageSize` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct StageSize(NodeBuilder);

impl StageSize {
    /// The attribute `capacity`; `0` unless set.
    pub fn capacity(mut self, value: i64) -> StageSize {
        self.0.set("capacity", value.into());
        self
    }

    /// The attribute `memory_limit`; `0` unless set.
    pub fn memory_limit(mut self, value: i64) -> StageSize {
        self.0.set("memory_limit", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> StageSize {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> StageSize {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> StageSize {
        StageSize(self.0.name(name))
    }

    /// Adds the node and gives `size`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
