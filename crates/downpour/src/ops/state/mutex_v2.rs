//! `MutexV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MutexV2() -> (resource)`.
///
/// * gives `resource`: resource
///
/// Has no gradient. Has state or effects.
pub fn mutex_v2(graph: &Graph) -> MutexV2 {
    let node = NodeBuilder::in_graph(graph, "MutexV2");
    MutexV2(node)
}

/// A `MutexV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct MutexV2(NodeBuilder);

impl MutexV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> MutexV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> MutexV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> MutexV2 {
        MutexV2(self.0.name(name))
    }

    /// Adds the node and gives `resource`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
