//! `TextLineReaderV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TextLineReaderV2() -> (reader_handle)`.
///
/// * gives `reader_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn text_line_reader_v2(graph: &Graph) -> TextLineReaderV2 {
    let node = NodeBuilder::in_graph(graph, "TextLineReaderV2");
    TextLineReaderV2(node)
}

/// A `TextLineReaderV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TextLineReaderV2(NodeBuilder);

impl TextLineReaderV2 {
    /// The attribute `skip_header_lines`; `0` unless set.
    pub fn skip_header_lines(mut self, value: i64) -> TextLineReaderV2 {
        self.0.set("skip_header_lines", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> TextLineReaderV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> TextLineReaderV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TextLineReaderV2 {
        TextLineReaderV2(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
