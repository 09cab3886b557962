//! `IRFFTND`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IRFFTND(input, fft_length, axes) -> (output)`.
///
/// * `input`: `Tcomplex` (complex64, complex128)
/// * `fft_length`: int32
/// * `axes`: int32
/// * gives `output`: `Treal` (float, double)
///
/// Has no gradient.
pub fn irfftnd(input: &Output, fft_length: &Output, axes: &Output) -> IRFFTND {
    let node = NodeBuilder::new("IRFFTND").input(input).input(fft_length).input(axes);
    IRFFTND(node)
}

/// A `IRFFTND` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct IRFFTND(NodeBuilder);

impl IRFFTND {
    /// The attribute `Treal`; float unless set.
    pub fn treal(mut self, value: DataType) -> IRFFTND {
        self.0.set("Treal", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> IRFFTND {
        IRFFTND(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
