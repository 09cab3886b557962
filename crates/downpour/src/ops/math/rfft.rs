//! `RFFT`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RFFT(input, fft_length) -> (output)`.
///
/// * `input`: `Treal` (float, double)
/// * `fft_length`: int32
/// * gives `output`: `Tcomplex` (complex64, complex128)
///
/// Differentiable.
pub fn rfft(input: &Output, fft_length: &Output) -> RFFT {
    let node = NodeBuilder::new("RFFT").input(input).input(fft_length);
    RFFT(node)
}

/// A `RFFT` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct RFFT(NodeBuilder);

impl RFFT {
    /// The attribute `Tcomplex`; complex64 unless set.
    pub fn tcomplex(mut self, value: DataType) -> RFFT {
        self.0.set("Tcomplex", value.into());
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> RFFT {
        RFFT(self.0.name(name))
    }

    /// Adds the node and gives `output`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
