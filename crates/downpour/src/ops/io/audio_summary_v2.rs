//! `AudioSummaryV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AudioSummaryV2(tag, tensor, sample_rate) -> (summary)`.
///
/// * `tag`: string
/// * `tensor`: float
/// * `sample_rate`: float
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn audio_summary_v2(tag: &Output, tensor: &Output, sample_rate: &Output) -> AudioSummaryV2 {
    let node = NodeBuilder::new("AudioSummaryV2").input(tag).input(tensor).input(sample_rate);
    AudioSummaryV2(node)
}

/// A `AudioSummaryV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AudioSummaryV2(NodeBuilder);

impl AudioSummaryV2 {
    /// The attribute `max_outputs`; `3` unless set.
    pub fn max_outputs(mut self, value: i64) -> AudioSummaryV2 {
        self.0.set("max_outputs", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AudioSummaryV2 {
        AudioSummaryV2(self.0.name(name))
    }

    /// Adds the node and gives `summary`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
