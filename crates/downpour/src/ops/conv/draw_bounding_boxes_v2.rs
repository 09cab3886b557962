//! `DrawBoundingBoxesV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DrawBoundingBoxesV2(images, boxes, colors) -> (output)`.
///
/// * `images`: `T` (float, half)
/// * `boxes`: float
/// * `colors`: float
/// * gives `output`: `T` (float, half)
///
/// Gradients do not flow through it.
pub fn draw_bounding_boxes_v2(images: &Output, boxes: &Output, colors: &Output) -> ForOutput {
    let node = NodeBuilder::new("DrawBoundingBoxesV2").input(images).input(boxes).input(colors);
    ForOutput(node)
}
