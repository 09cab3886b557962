//! `AdjustHue`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `AdjustHue(images, delta) -> (output)`.
///
/// * `images`: `T` (half, float)
/// * `delta`: float
/// * gives `output`: `T` (half, float)
///
/// Has no gradient.
pub fn adjust_hue(images: &Output, delta: &Output) -> ForOutput {
    let node = NodeBuilder::new("AdjustHue").input(images).input(delta);
    ForOutput(node)
}
