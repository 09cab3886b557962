//! `UncompressElement`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `UncompressElement(compressed) -> (components)`.
///
/// * `compressed`: variant
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `components`: several, of types `output_types`
///
/// Gradients do not flow through it.
pub fn uncompress_element(compressed: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutputs {
    let mut node = NodeBuilder::new("UncompressElement").input(compressed);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutputs(node)
}
