//! `SummaryWriter`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `SummaryWriter() -> (writer)`.
///
/// * gives `writer`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn summary_writer(graph: &Graph) -> SummaryWriter {
    let node = NodeBuilder::in_graph(graph, "SummaryWriter");
    SummaryWriter(node)
}

/// A `SummaryWriter` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct SummaryWriter(NodeBuilder);

impl SummaryWriter {
    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> SummaryWriter {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> SummaryWriter {
        self.0.set("container", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> SummaryWriter {
        SummaryWriter(self.0.name(name))
    }

    /// Adds the node and gives `writer`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
