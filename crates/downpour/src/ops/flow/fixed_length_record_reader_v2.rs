//! `FixedLengthRecordReaderV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FixedLengthRecordReaderV2() -> (reader_handle)`.
///
/// * `record_bytes`: attribute, int
/// * gives `reader_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn fixed_length_record_reader_v2(
    graph: &Graph,
    record_bytes: i64,
) -> FixedLengthRecordReaderV2 {
    let mut node = NodeBuilder::in_graph(graph, "FixedLengthRecordReaderV2");
    node.set("record_bytes", record_bytes.into());
    FixedLengthRecordReaderV2(node)
}

/// A `FixedLengthRecordReaderV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct FixedLengthRecordReaderV2(NodeBuilder);

impl FixedLengthRecordReaderV2 {
    /// The attribute `header_bytes`; `0` unless set.
    pub fn header_bytes(mut self, value: i64) -> FixedLengthRecordReaderV2 {
        self.0.set("header_bytes", value.into());
        self
    }

    /// The attribute `footer_bytes`; `0` unless set.
    pub fn footer_bytes(mut self, value: i64) -> FixedLengthRecordReaderV2 {
        self.0.set("footer_bytes", value.into());
        self
    }

    /// The attribute `hop_bytes`; `0` unless set.
    pub fn hop_bytes(mut self, value: i64) -> FixedLengthRecordReaderV2 {
        self.0.set("hop_bytes", value.into());
        self
    }

    /// The attribute `container`; `""` unless set.
    pub fn container(mut self, value: &str) -> FixedLengthRecordReaderV2 {
        self.0.set("container", text(value));
        self
    }

    /// The attribute `shared_name`; `""` unless set.
    pub fn shared_name(mut self, value: &str) -> FixedLengthRecordReaderV2 {
        self.0.set("shared_name", text(value));
        self
    }

    /// The attribute `encoding`; `""` unless set.
    pub fn encoding(mut self, value: &str) -> FixedLengthRecordReaderV2 {
        self.0.set("encoding", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> FixedLengthRecordReaderV2 {
        FixedLengthRecordReaderV2(self.0.name(name))
    }

    /// Adds the node and gives `reader_handle`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
