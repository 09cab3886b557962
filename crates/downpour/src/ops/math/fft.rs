//! `FFT`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FFT(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn fft(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFT").input(input);
    ForOutput(node)
}
