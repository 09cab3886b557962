//! `IdentityReader`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IdentityReader() -> (reader_handle)`.
///
/// * gives `reader_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn identity_reader(graph: &Graph) -> IdentityReader {
    let node = NodeBuilder::in_graph(graph, "IdentityReader");
    IdentityReader(node)
}

/// A `IdentityReader` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IdentityReader(NodeBuilder);

impl IdentityReader {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> IdentityReader {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> IdentityReader {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IdentityReader {
        IdentityReader(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
