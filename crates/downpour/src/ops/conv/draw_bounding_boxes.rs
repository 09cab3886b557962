//! `DrawBoundingBoxes`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DrawBoundingBoxes(images, boxes) -> (output)`.
///
/// * `images`: `T` (float, half)
/// * `boxes`: float
/// * gives `output`: `T` (float, half)
///
/// Gradients do not flow through it.
pub fn draw_bounding_boxes(images: &Output, boxes: &Output) -> ForOutput {
    let node = NodeBuilder::new("DrawBoundingBoxes").input(images).input(boxes);
    ForOutput(node)
}
