//! `HSVToRGB`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `HSVToRGB(images) -> (output)`.
///
/// * `images`: `T` (half, bfloat16, float, double)
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Gradients do not flow through it.
pub fn hsv_to_rgb(images: &Output) -> ForOutput {
    let node = NodeBuilder::new("HSVToRGB").input(images);
    ForOutput(node)
}
