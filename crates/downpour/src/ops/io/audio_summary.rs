//! `AudioSummary`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AudioSummary(tag, tensor) -> (summary)`.
///
/// * `tag`: string
/// * `tensor`: float
/// * `sample_rate`: attribute, float
/// * gives `summary`: string
///
/// Gradients do not flow through it.
pub fn audio_summary(tag: &Output, tensor: &Output, sample_rate: f32) -> AudioSummary {
    let mut node = NodeBuilder::new("AudioSummary").input(tag).input(tensor);
    node.set("sample_rate", sample_rate.into());
    AudioSummary(node)
}

/// A `AudioSummary` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct AudioSummary(NodeBuilder);

impl AudioSummary {
    /// The attribute `max_outputs`; `3` unless set.
    pub fn max_outputs(mut self, value: i64) -> AudioSummary {
        self.0.set("max_outputs", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> AudioSummary {
        AudioSummary(self.0.name(name))
    }

    /// Adds the node and gives `summary`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
