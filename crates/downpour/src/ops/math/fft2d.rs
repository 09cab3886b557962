//! `FFT2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `FFT2D(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn fft2d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("FFT2D").input(input);
    ForOutput(node)
}
