//! `WriteAudioSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `WriteAudioSummary(writer, step, tag, tensor, sample_rate) -> ()`.
///
/// * `writer`: resource
/// * `step`: int64
/// * `tag`: string
/// * `tensor`: float
/// * `sample_rate`: float
///
/// Gradients do not flow through it. Has state or effects.
pub fn write_audio_summary(
    writer: &Output,
    step: &Output,
    tag: &Output,
    tensor: &Output,
    sample_rate: &Output,
) -> WriteAudioSummary {
    let node = NodeBuilder::new("WriteAudioSummary")
        .input(writer)
        .input(step)
        .input(tag)
        .input(tensor)
        .input(sample_rate);
    WriteAudioSummary(node)
}

/// A `WriteAudioSummary` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct WriteAudioSummary(NodeBuilder);

impl WriteAudioSummary {
    /// The attribute `max_outputs`; `3` unless set.
    pub fn max_outputs(mut self, value: i64) -> WriteAudioSummary {
        self.0.set("max_outputs", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> WriteAudioSummary {
        WriteAudioSummary(self.0.name(name))
    }

    /// Adds the node.
    pub fn build(self) -> Result<Operation> {
        self.0.operation()
    }
}
