//! `AdjustSaturation`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AdjustSaturation(images, scale) -> (output)`.
///
/// * `images`: `T` (half, float)
/// * `scale`: float
/// * gives `output`: `T` (half, float)
///
/// Has no gradient.
pub fn adjust_saturation(images: &Output, scale: &Output) -> ForOutput {
    let node = NodeBuilder::new("AdjustSaturation").input(images).input(scale);
    ForOutput(node)
}
