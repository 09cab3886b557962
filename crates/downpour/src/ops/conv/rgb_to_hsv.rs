//! `RGBToHSV`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `RGBToHSV(images) -> (output)`.
///
/// * `images`: `T` (half, bfloat16, float, double)
/// * gives `output`: `T` (half, bfloat16, float, double)
///
/// Differentiable.
pub fn rgb_to_hsv(images: &Output) -> ForOutput {
    let node = NodeBuilder::new("RGBToHSV").input(images);
    ForOutput(node)
}
