//! `MakeIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `MakeIterator(dataset, iterator) -> ()`.
///
/// * `dataset`: variant
/// * `iterator`: resource
///
/// Has no gradient. Has state or effects.
pub fn make_iterator(dataset: &Output, iterator: &Output) -> ForOperation {
    let node = NodeBuilder::new("MakeIterator").input(dataset).input(iterator);
    ForOperation(node)
}
