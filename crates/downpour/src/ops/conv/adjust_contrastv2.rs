//! `AdjustContrastv2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AdjustContrastv2(images, contrast_factor) -> (output)`.
///
/// * `images`: `T` (half, float)
/// * `contrast_factor`: float
/// * gives `output`: `T` (half, float)
///
/// Has no gradient.
pub fn adjust_contrastv2(images: &Output, contrast_factor: &Output) -> ForOutput {
    let node = NodeBuilder::new("AdjustContrastv2").input(images).input(contrast_factor);
    ForOutput(node)
}
