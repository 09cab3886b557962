//! `IFFT3D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IFFT3D(input) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn ifft3d(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("IFFT3D").input(input);
    ForOutput(node)
}
