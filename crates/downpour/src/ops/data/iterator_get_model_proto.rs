//! `IteratorGetModelProto`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IteratorGetModelProto(iterator) -> (model_proto)`.
///
/// * `iterator`: resource
/// * gives `model_proto`: string
///
/// Has no gradient. Has state or effects.
pub fn iterator_get_model_proto(iterator: &Output) -> ForOutput {
    let node = NodeBuilder::new("IteratorGetModelProto").input(iterator);
    ForOutput(node)
}
