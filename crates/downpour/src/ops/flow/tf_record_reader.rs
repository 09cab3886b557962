//! `TFRecordReader`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TFRecordReader() -> (reader_handle)`.
///
/// * gives `reader_handle`: string, a reference
///
/// Gradients do not flow through it. Has state or effects.
pub fn tf_record_reader(graph: &Graph) -> TFRecordReader {
    let node = NodeBuilder::in_graph(graph, "TFRecordReader");
    TFRecordReader(node)
}

/// A `TFRecordReader` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TFRecordReader(NodeBuilder);

impl TFRecordReader {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> TFRecordReader {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> TFRecordReader {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `compression_type`; `""` unless set.
    pub fn compression_type(mut self, value: &str) -> TFRecordReader {
        self.0.set("compression_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TFRecordReader {
        TFRecordReader(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
