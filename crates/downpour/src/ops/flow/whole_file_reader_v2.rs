//! `WholeFileReaderV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WholeFileReaderV2() -> (reader_handle)`.
///
/// * gives `reader_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn whole_file_reader_v2(graph: &Graph) -> WholeFileReaderV2 {
    let node = NodeBuilder::in_graph(graph, "WholeFileReaderV2");
    WholeFileReaderV2(node)
}

/// A `WholeFileReaderV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct WholeFileReaderV2(NodeBuilder);

impl WholeFileReaderV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> WholeFileReaderV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> WholeFileReaderV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> WholeFileReaderV2 {
        WholeFileReaderV2(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
