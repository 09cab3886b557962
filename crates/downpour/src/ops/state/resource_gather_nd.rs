//! `ResourceGatherNd`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceGatherNd(resource, indices) -> (output)`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `dtype`: attribute, type
/// * gives `output`: `dtype` (any type)
///
/// Differentiable. Has state or effects.
pub fn resource_gather_nd(resource: &Output, indices: &Output, dtype: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ResourceGatherNd").input(resource).input(indices);
    node.set("dtype", dtype.into());
    ForOutput(node)
}
