//! `IteratorGetDevice`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `IteratorGetDevice(resource) -> (device)`.
///
/// * `resource`: resource
/// * gives `device`: string
///
/// Has no gradient. Has state or effects.
pub fn iterator_get_device(resource: &Output) -> ForOutput {
    let node = NodeBuilder::new("IteratorGetDevice").input(resource);
    ForOutput(node)
}
