//! `IRFFT2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IRFFT2D(input, fft_length) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Differentiable.
pub fn irfft2d(input: &Output, fft_length: &Output) -> IRFFT2D {
    let node = NodeBuilder::new("IRFFT2D").input(input).input(fft_length);
    IRFFT2D(node)
}

/// A `IRFFT2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFT2D(NodeBuilder);

impl IRFFT2D {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFT2D {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFT2D {
        IRFFT2D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
