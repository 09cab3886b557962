//! `DecodeWav`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeWav(contents) -> (audio, sample_rate)`.
///
/// * `contents`: string
/// * gives `audio`: float
/// * gives `sample_rate`: int32
///
/// Gradients do not flow through it.
pub fn decode_wav(contents: &Output) -> DecodeWav {
    let node = NodeBuilder::new("DecodeWav").input(contents);
    DecodeWav(node)
}

/// A `DecodeWav` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeWav(NodeBuilder);

impl DecodeWav {
    /// The attribute `desired_channels`; `-1` unless set.
    pub fn desired_channels(mut self, value: i64) -> DecodeWav {
        self.0.set("desired_channels", value.into());
        self
    }

    /// The attribute `desired_samples`; `-1` unless set.
    pub fn desired_samples(mut self, value: i64) -> DecodeWav {
        self.0.set("desired_samples", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeWav {
        DecodeWav(self.0.name(name))
    }

    /// Adds the node and gives (`audio`, `sample_rate`).
    pub fn build(self) -> Result<(Output, Output)> {
        let operation = self.0.operation()?;
        Ok((operation.output(0)?, operation.output(1)?))
    }
}
