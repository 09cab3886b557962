//! `DisableCopyOnRead`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `DisableCopyOnRead(resource) -> ()`.
///
/// * `resource`: resource
///
/// Has no gradient. Has state or effects.
pub fn disable_copy_on_read(resource: &Output) -> ForOperation {
    let node = NodeBuilder::new("DisableCopyOnRead").input(resource);
    ForOperation(node)
}
