//! `EncodeWav`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EncodeWav(audio, sample_rate) -> (contents)`.
///
/// * `audio`: float
/// * `sample_rate`: int32
/// * gives `contents`: string
///
/// Gradients do not flow through it.
pub fn encode_wav(audio: &Output, sample_rate: &Output) -> ForOutput {
    let node = NodeBuilder::new("EncodeWav").input(audio).input(sample_rate);
    ForOutput(node)
}
