//! `DecodeGif`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DecodeGif(contents) -> (image)`.
///
/// * `contents`: string
/// * gives `image`: uint8
///
/// Gradients do not flow through it.
pub fn decode_gif(contents: &Output) -> ForOutput {
    let node = NodeBuilder::new("DecodeGif").input(contents);
    ForOutput(node)
}
