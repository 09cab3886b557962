//! `ResourceScatterMax`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceScatterMax(resource, indices, updates) -> ()`.
///
/// * `resource`: resource
/// * `indices`: `Tindices` (int32, int64)
/// * `updates`: `dtype` (float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, qint32, bfloat16, qint16, quint16, uint16, complex128, half, uint32, uint64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_scatter_max(resource: &Output, indices: &Output, updates: &Output) -> ForOperation {
    let node = NodeBuilder::new("ResourceScatterMax").input(resource).input(indices).input(updates);
    ForOperation(node)
}
