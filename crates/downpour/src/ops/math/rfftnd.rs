//! `RFFTND`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RFFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Has no gradient.
pub fn rfftnd(input: &Output, fft_length: &Output, axes: &Output) -> RFFTND {
    let node = NodeBuilder::new("RFFTND").input(input).input(fft_length).input(axes);
    RFFTND(node)
}

/// A `RFFTND` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFTND(NodeBuilder);

impl RFFTND {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFTND {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFTND {
        RFFTND(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
