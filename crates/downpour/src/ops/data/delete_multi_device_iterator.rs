//! `DeleteMultiDeviceIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeleteMultiDeviceIterator(multi_device_iterator, iterators, deleter) -> ()`.
///
/// * `multi_device_iterator`: resource
/// * `iterators`: `N` values of resource
/// * `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn delete_multi_device_iterator(multi_device_iterator: &Output, iterators: &[Output], deleter: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeleteMultiDeviceIterator").input(multi_device_iterator).list(iterators).input(deleter);
    ForOperation(node)
}
