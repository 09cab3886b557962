//! `BatchIFFT2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BatchIFFT2D(input) -> (output)`.
///
/// * `input`: complex64
/// * gives `output`: complex64
///
/// Has no gradient.
pub fn batch_ifft2d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("BatchIFFT2D").input(input);
    ForOutput(node)
}
