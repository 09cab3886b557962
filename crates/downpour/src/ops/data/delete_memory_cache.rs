//! `DeleteMemoryCache`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeleteMemoryCache(handle, deleter) -> ()`.
///
/// * `handle`: resource
/// * `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn delete_memory_cache(handle: &Output, deleter: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeleteMemoryCache").input(handle).input(deleter);
    ForOperation(node)
}
