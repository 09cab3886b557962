//! `DeleteSeedGenerator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeleteSeedGenerator(handle, deleter) -> ()`.
///
/// * `handle`: resource
/// * `deleter`: variant
///
/// Has no gradient. Has state or effects.
pub fn delete_seed_generator(handle: &Output, deleter: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeleteSeedGenerator").input(handle).input(deleter);
    ForOperation(node)
}
