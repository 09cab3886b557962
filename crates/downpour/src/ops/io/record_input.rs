//! `RecordInput`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RecordInput() -> (records)`.
///
/// * `file_pattern`: attribute, string
/// * gives `records`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn record_input(graph: &Graph, file_pattern: &str) -> RecordInput {
    let mut node = NodeBuilder::in_graph(graph, "RecordInput");
    node.set("file_pattern", text(file_pattern));
    RecordInput(node)
}

/// A `RecordInput` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RecordInput(NodeBuilder);

impl RecordInput {
    /// The attribute `file_random_seed`; `301` unless set.
    pub fn file_random_seed(mut self, value: i64) -> RecordInput {
        self.0.set("file_random_seed", value.into());
        self
    }

    /// The attribute `file_shuffle_shift_ratio`; `0.0` unless set.
    pub fn file_shuffle_shift_ratio(mut self, value: f32) -> RecordInput {
        self.0.set("file_shuffle_shift_ratio", value.into());
        self
    }

    /// The attribute `file_buffer_size`; `10000` unless set.
    pub fn file_buffer_size(mut self, value: i64) -> RecordInput {
        self.0.set("file_buffer_size", value.into());
        self
    }

    /// The attribute `file_parallelism`; `16` unless set.
    pub fn file_parallelism(mut self, value: i64) -> RecordInput {
        self.0.set("file_parallelism", value.into());
        self
    }

    /// The attribute `batch_size`; `32` unless set.
    pub fn batch_size(mut self, value: i64) -> RecordInput {
        self.0.set("batch_size", value.into());
        self
    }

    /// The attribute `compression_type`; `""` unless set.
    pub fn compression_type(mut self, value: &str) -> RecordInput {
        self.0.set("compression_type", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RecordInput {
        RecordInput(self.0.name(name))
    }

    /// Adds the node and gives `records`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
