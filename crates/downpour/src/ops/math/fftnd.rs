//! `FFTND`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn fftnd(input: &Output, fft_length: &Output, axes: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFTND").input(input).input(fft_length).input(axes);
    ForOutput(node)
}
