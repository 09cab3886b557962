//! `TFRecordReaderV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `TFRecordReaderV2() -> (reader_handle)`.
///
/// * gives `reader_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn tf_record_reader_v2(graph: &Graph) -> TFRecordReaderV2 {
    let node = NodeBuilder::in_graph(graph, "TFRecordReaderV2");
    TFRecordReaderV2(node)
}

/// A `TFRecordReaderV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct TFRecordReaderV2(NodeBuilder);

impl TFRecordReaderV2 {
    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> TFRecordReaderV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> TFRecordReaderV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `compression_type`; `""` unless set.
    pub fn compression_type(mut self, value: &str) -> TFRecordReaderV2 {
        self.0.set("compression_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> TFRecordReaderV2 {
        TFRecordReaderV2(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
