//! `CTCBeamSearchDecoder`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CTCBeamSearchDecoder(inputs, sequence_length) -> (decoded_indices, decoded_values, decoded_shape, log_probability)`.
///
/// * `inputs`: `T` (float, double)
/// * `sequence_length`: int32
/// * `beam_width`: attribute, int, at least 1
/// * `top_paths`: attribute, int, at least 1
/// * gives `decoded_indices`: `top_paths` values of int64
/// * gives `decoded_values`: `top_paths` values of int64
/// * gives `decoded_shape`: `top_paths` values of int64
/// * gives `log_probability`: `T` (float, double)
///
/// Gradients do not flow through it.
pub fn ctc_beam_search_decoder(
    inputs: &Output,
    sequence_length: &Output,
    beam_width: i64,
    top_paths: i64,
) -> CTCBeamSearchDecoder {
    let mut node = NodeBuilder::new("CTCBeamSearchDecoder").input(inputs).input(sequence_length);
    node.set("beam_width", beam_width.into());
    node.set("top_paths", top_paths.into());
    CTCBeamSearchDecoder(node)
}

/// The values of a `CTCBeamSearchDecoder`.
pub struct CTCBeamSearchDecoderValues {
    /// `decoded_indices`.
    pub decoded_indices: Vec<Output>,
    /// `decoded_values`.
    pub decoded_values: Vec<Output>,
    /// `decoded_shape`.
    pub decoded_shape: Vec<Output>,
    /// `log_probability`.
    pub log_probability: Output,
}

/// A `CTCBeamSearchDecoder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCBeamSearchDecoder(NodeBuilder);

impl CTCBeamSearchDecoder {
    /// The attribute `merge_repeated`; `true` unless set.
    pub fn merge_repeated(mut self, value: bool) -> CTCBeamSearchDecoder {
        self.0.set("merge_repeated", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCBeamSearchDecoder {
        CTCBeamSearchDecoder(self.0.name(name))
    }

    /// Adds the node and gives (`decoded_indices`, `decoded_values`, `decoded_shape`, `log_probability`).
    pub fn build(self) -> Result<CTCBeamSearchDecoderValues> {
        let operation = self.0.operation()?;
        Ok(CTCBeamSearchDecoderValues {
            decoded_indices: operation.named_outputs("decoded_indices")?,
            decoded_values: operation.named_outputs("decoded_values")?,
            decoded_shape: operation.named_outputs("decoded_shape")?,
            log_probability: only(operation.named_outputs("log_probability")?)?,
        })
    }
}
