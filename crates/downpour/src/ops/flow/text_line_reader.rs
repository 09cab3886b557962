//! `TextLineReader`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TextLineReader() -> (reader_handle)`.
///
/// * gives `reader_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn text_line_reader(graph: &Graph) -> TextLineReader {
    let node = NodeBuilder::in_graph(graph, "TextLineReader");
    TextLineReader(node)
}

/// A `TextLineReader` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TextLineReader(NodeBuilder);

impl TextLineReader {
    /// The attribute `skip_header_lines`; `0` unless set.
    pub fn skip_header_lines(mut self, value: i64) -> TextLineReader {
        self.0.set("skip_header_lines", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> TextLineReader {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> TextLineReader {
        self.0.set("shared_name", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TextLineReader {
        TextLineReader(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
