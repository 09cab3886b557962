//! `ExtractGlimpse`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExtractGlimpse(input, size, offsets) -> (glimpse)`.
///
/// * `input`: float
/// * `size`: int32
/// * `offsets`: float
/// * gives `glimpse`: float
///
/// Gradients do not flow through it.
pub fn extract_glimpse(input: &Output, size: &Output, offsets: &Output) -> ExtractGlimpse {
    let node = NodeBuilder::new("ExtractGlimpse").input(input).input(size).input(offsets);
    ExtractGlimpse(node)
}

/// A `ExtractGlimpse` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct ExtractGlimpse(NodeBuilder);

impl ExtractGlimpse {
    /// The attribute `centered`; `true` unless set.
    pub fn centered(mut self, value: bool) -> ExtractGlimpse {
        self.0.set("centered", value.into());
        self
    }

    /// The attribute `normalized`; `true` unless set.
    pub fn normalized(mut self, value: bool) -> ExtractGlimpse {
        self.0.set("normalized", value.into());
        self
    }

    /// The attribute `uniform_noise`; `true` unless set.
    pub fn uniform_noise(mut self, value: bool) -> ExtractGlimpse {
        self.0.set("uniform_noise", value.into());
        self
    }

    /// The attribute `noise`; `"uniform"` unless set.
    pub fn noise(mut self, value: &str) -> ExtractGlimpse {
        self.0.set("noise", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> ExtractGlimpse {
        ExtractGlimpse(self.0.name(name))
    }

    /// Adds the node and gives `glimpse`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
