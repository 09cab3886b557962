//! `DeserializeIterator`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DeserializeIterator(resource_handle, serialized) -> ()`.
///
/// * `resource_handle`: resource
/// * `serialized`: variant
///
/// Has no gradient. Has state or effects.
pub fn deserialize_iterator(resource_handle: &Output, serialized: &Output) -> ForOperation {
    let node = NodeBuilder::new("DeserializeIterator").input(resource_handle).input(serialized);
    ForOperation(node)
}
