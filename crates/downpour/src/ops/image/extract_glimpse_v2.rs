//! `ExtractGlimpseV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExtractGlimpseV2(input, size, offsets) -> (glimpse)`.
///
/// * `input`: float
/// * `size`: int32
/// * `offsets`: float
/// * gives `glimpse`: float
///
/// Gradients do not flow through it.
pub fn extract_glimpse_v2(input: &Output, size: &Output, offsets: &Output) -> ExtractGlimpseV2 {
    let node = NodeBuilder::new("ExtractGlimpseV2").input(input).input(size).input(offsets);
    ExtractGlimpseV2(node)
}

/// A `ExtractGlimpseV2` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExtractGlimpseV2(NodeBuilder);

impl ExtractGlimpseV2 {
    /// The attribute `centered`; `true` unless set.
    pub fn centered(mut self, value: bool) -> ExtractGlimpseV2 {
        self.0.set("centered", value.into());
        self
    }

    /// The attribute `normalized`; `true` unless set.
    pub fn normalized(mut self, value: bool) -> ExtractGlimpseV2 {
        self.0.set("normalized", value.into());
        self
    }

    /// The attribute `uniform_noise`; `true` unless set.
    pub fn uniform_noise(mut self, value: bool) -> ExtractGlimpseV2 {
        self.0.set("uniform_noise", value.into());
        self
    }

    /// The attribute `noise`; `"uniform"` unless set.
    pub fn noise(mut self, value: &str) -> ExtractGlimpseV2 {
        self.0.set("noise", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExtractGlimpseV2 {
        ExtractGlimpseV2(self.0.name(name))
    }

    /// Adds the node and gives `glimpse`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
