//! `IteratorToStringHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IteratorToStringHandle(resource_handle) -> (string_handle)`.
///
/// * `resource_handle`: resource
/// * gives `string_handle`: string
///
/// Has no gradient. Has state or effects.
pub fn iterator_to_string_handle(resource_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("IteratorToStringHandle").input(resource_handle);
    ForOutput(node)
}
