//! `RFFT3D`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RFFT3D(input, fft_length) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn rfft3d(input: &Output, fft_length: &Output) -> RFFT3D {
    let node = NodeBuilder::new("RFFT3D").input(input).input(fft_length);
    RFFT3D(node)
}

/// A `RFFT3D` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFT3D(NodeBuilder);

impl RFFT3D {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFT3D {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFT3D {
        RFFT3D(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
