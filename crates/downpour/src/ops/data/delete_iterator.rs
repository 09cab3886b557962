//! `DeleteIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeleteIterator(handle, deleter) -> ()`.
///
/// * `handle`: resource
/// * `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn delete_iterator(handle: &Output, deleter: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeleteIterator").input(handle).input(deleter);
    ForOperation(node)
}
