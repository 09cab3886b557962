//! `CTCGreedyDecoder`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `CTCGreedyDecoder(inputs, sequence_length) -> (decoded_indices, decoded_values, decoded_shape, log_probability)`.
///
/// * `inputs`: `T` (float, double)
/// * `sequence_length`: int32
/// * gives `decoded_indices`: int64
/// * gives `decoded_values`: int64
/// * gives `decoded_shape`: int64
/// * gives `log_probability`: `T` (float, double)
///
/// Gradients do not flow through it.
pub fn ctc_greedy_decoder(inputs: &Output, sequence_length: &Output) -> CTCGreedyDecoder {
    let node = NodeBuilder::new("CTCGreedyDecoder").input(inputs).input(sequence_length);
    CTCGreedyDecoder(node)
}

/// The values of a `CTCGreedyDecoder`.
pub struct CTCGreedyDecoderValues {
    /// `decoded_indices`.
    pub decoded_indices: Output,
    /// `decoded_values`.
    pub decoded_values: Output,
    /// `decoded_shape`.
    pub decoded_shape: Output,
    /// `log_probability`.
    pub log_probability: Output,
}

/// A `CTCGreedyDecoder` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct CTCGreedyDecoder(NodeBuilder);

impl CTCGreedyDecoder {
    /// The attribute `merge_repeated`; `false` unless set.
    pub fn merge_repeated(mut self, value: bool) -> CTCGreedyDecoder {
        self.0.set("merge_repeated", value.into());
        self
    }

    /// The attribute `blank_index`; `-1` unless set.
    pub fn blank_index(mut self, value: i64) -> CTCGreedyDecoder {
        self.0.set("blank_index", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> CTCGreedyDecoder {
        CTCGreedyDecoder(self.0.name(name))
    }

    /// Adds the node and gives (`decoded_indices`, `decoded_values`, `decoded_shape`, `log_probability`).
    pub fn build(self) -> Result<CTCGreedyDecoderValues> {
        let operation = self.0.operation()?;
        Ok(CTCGreedyDecoderValues {
            decoded_indices: operation.output(0)?,
            decoded_values: operation.output(1)?,
            decoded_shape: operation.output(2)?,
            log_probability: operation.output(3)?,
        })
    }
}
