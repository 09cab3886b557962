//! `ResourceScatterUpdate`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceScatterUpdate(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_update(
    resource: &Output,
    indices: &Output,
    updates: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("ResourceScatterUpdate").input(resource).input(indices).input(updates);
    ForOperation(node)
}
