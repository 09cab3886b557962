//! `BatchFFT`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchFFT(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_fft(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchFFT").input(input);
    ForOutput(node)
}
