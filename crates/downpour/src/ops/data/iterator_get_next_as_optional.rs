//! `IteratorGetNextAsOptional`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IteratorGetNextAsOptional(iterator) -> (optional)`.
///
/// * `iterator`: resource
/// * `output_types`: attribute, list(type), at least 1 long
/// * `output_shapes`: attribute, list(shape), at least 1 long
/// * gives `optional`: variant
///
/// Has no gradient. Has state or effects.
pub fn iterator_get_next_as_optional(iterator: &Output, output_types: &[DataType], output_shapes: &[PartialShape]) -> ForOutput {
    let mut node = NodeBuilder::new("IteratorGetNextAsOptional").input(iterator);
    node.set("output_types", output_types.to_vec().into());
    node.set("output_shapes", output_shapes.to_vec().into());
    ForOutput(node)
}
