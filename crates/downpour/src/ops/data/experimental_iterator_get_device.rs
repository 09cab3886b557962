//! `ExperimentalIteratorGetDevice`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ExperimentalIteratorGetDevice(resource) -> (device)`.
///
/// * `resource`: resource
/// * gives `device`: string
///
/// Has no gradient. Has state or effects.
pub fn experimental_iterator_get_device(resource: &Output) -> ForOutput {
    let node = NodeBuilder::new("ExperimentalIteratorGetDevice").input(resource);
    ForOutput(node)
}
