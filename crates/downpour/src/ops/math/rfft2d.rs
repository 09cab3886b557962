//! `RFFT2D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RFFT2D(input, fft_length) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn rfft2d(input: &Output, fft_length: &Output) -> RFFT2D {
    let node = NodeBuilder::new("RFFT2D").input(input).input(fft_length);
    RFFT2D(node)
}

/// A `RFFT2D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFT2D(NodeBuilder);

impl RFFT2D {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFT2D {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFT2D {
        RFFT2D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
