//! `DecodeJpeg`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeJpeg(contents) -> (image)`.
///
/// * `contents`: string
/// * gives `image`: uint8
///
/// Gradients do not flow through it.
pub fn decode_jpeg(contents: &Output) -> DecodeJpeg {
    let node = NodeBuilder::new("DecodeJpeg").input(contents);
    DecodeJpeg(node)
}

/// A `DecodeJpeg` about to be added.
#[must_use = "nothing is added before `build`"]
pub struct DecodeJpeg(NodeBuilder);

impl DecodeJpeg {
    /// The attribute `channels`; `0` unless set.
    pub fn channels(mut self, value: i64) -> DecodeJpeg {
        self.0.set("channels", value.into());
        self
    }

    /// The attribute `ratio`; `1` unless set.
    pub fn ratio(mut self, value: i64) -> DecodeJpeg {
        self.0.set("ratio", value.into());
        self
    }

    /// The attribute `fancy_upscaling`; `true` unless set.
    pub fn fancy_upscaling(mut self, value: bool) -> DecodeJpeg {
        self.0.set("fancy_upscaling", value.into());
        self
    }

    /// The attribute `try_recover_truncated`; `false` unless set.
    pub fn try_recover_truncated(mut self, value: bool) -> DecodeJpeg {
        self.0.set("try_recover_truncated", value.into());
        self
    }

    /// The attribute `acceptable_fraction`; `1.0` unless set.
    pub fn acceptable_fraction(mut self, value: f32) -> DecodeJpeg {
        self.0.set("acceptable_fraction", value.into());
        self
    }

    /// The attribute `dct_method`; `""` unless set.
    pub fn dct_method(mut self, value: &str) -> DecodeJpeg {
        self.0.set("dct_method", text(value));
        self
    }

    /// Names the node.
    pub fn name(self, name: &str) -> DecodeJpeg {
        DecodeJpeg(self.0.name(name))
    }

    /// Adds the node and gives `image`.
    pub fn build(self) -> Result<Output> {
        self.0.output()
    }
}
