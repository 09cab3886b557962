//! `IdentityReaderV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IdentityReaderV2() -> (reader_handle)`.
///
/// * gives `reader_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn identity_reader_v2(graph: &Graph) -> IdentityReaderV2 {
    let node = NodeBuilder::in_graph(graph, "IdentityReaderV2");
    IdentityReaderV2(node)
}

/// A `IdentityReaderV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IdentityReaderV2(NodeBuilder);

impl IdentityReaderV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> IdentityReaderV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> IdentityReaderV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IdentityReaderV2 {
        IdentityReaderV2(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
