//! `EncodeJpegVariableQuality`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `EncodeJpegVariableQuality(images, quality) -> (contents)`.
///
/// * `images`: uint8
/// * `quality`: int32
/// * gives `contents`: string
///
/// Gradients do not flow through it.
pub fn encode_jpeg_variable_quality(images: &Output, quality: &Output) -> ForOutput {
    let node = NodeBuilder::new("EncodeJpegVariableQuality").input(images).input(quality);
    ForOutput(node)
}
