//! `IRFFT3D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IRFFT3D(input, fft_length) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Has no gradient.
pub fn irfft3d(input: &Output, fft_length: &Output) -> IRFFT3D {
    let node = NodeBuilder::new("IRFFT3D").input(input).input(fft_length);
    IRFFT3D(node)
}

/// A `IRFFT3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFT3D(NodeBuilder);

impl IRFFT3D {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFT3D {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFT3D {
        IRFFT3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
