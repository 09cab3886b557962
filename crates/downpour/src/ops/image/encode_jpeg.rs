//! `EncodeJpeg`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EncodeJpeg(image) -> (contents)`.
///
/// * `image`: uint8
/// * gives `contents`: string
///
/// Gradients do not flow through it.
pub fn encode_jpeg(image: &Output) -> EncodeJpeg {
    let node = NodeBuilder::new("EncodeJpeg").input(image);
    EncodeJpeg(node)
}

/// A `EncodeJpeg` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct EncodeJpeg(NodeBuilder);

impl EncodeJpeg {
    /// The attribute `format`; `""` unless set.
    pub fn format(mut self, value: &str) -> EncodeJpeg {
        self.0.set("format", text(value));
        self
    }

    /// The attribute `quality`; `95` unless set.
    pub fn quality(mut self, value: i64) -> EncodeJpeg {
        self.0.set("quality", value.into());
        self
    }

    /// The attribute `progressive`; `false` unless set.
    pub fn progressive(mut self, value: bool) -> EncodeJpeg {
        self.0.set("progressive", value.into());
        self
    }

    /// The attribute `optimize_size`; `false` unless set.
    pub fn optimize_size(mut self, value: bool) -> EncodeJpeg {
        self.0.set("optimize_size", value.into());
        self
    }

    /// The attribute `chroma_downsampling`; `true` unless set.
    pub fn chroma_downsampling(mut self, value: bool) -> EncodeJpeg {
        self.0.set("chroma_downsampling", value.into());
        self
    }

    /// The attribute `density_unit`; `"in"` unless set.
    pub fn density_unit(mut self, value: &str) -> EncodeJpeg {
        self.0.set("density_unit", text(value));
        self
    }

    /// The attribute `x_density`; `300` unless set.
    pub fn x_density(mut self, value: i64) -> EncodeJpeg {
        self.0.set("x_density", value.into());
        self
    }

    /// The attribute `y_density`; `300` unless set.
    pub fn y_density(mut self, value: i64) -> EncodeJpeg {
        self.0.set("y_density", value.into());
        self
    }

    /// The attribute `xmp_metadata`; `""` unless set.
    pub fn xmp_metadata(mut self, value: &str) -> EncodeJpeg {
        self.0.set("xmp_metadata", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> EncodeJpeg {
        EncodeJpeg(self.0.name(name))
    }

    /// Adds the node and gives `contents`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
