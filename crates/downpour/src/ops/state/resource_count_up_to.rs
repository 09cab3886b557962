//! `ResourceCountUpTo`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ResourceCountUpTo(resource) -> (output)`.
///
/// * `resource`: resource
/// * `limit`: attribute, int
/// * `T`: attribute, type, one of int32, int64
/// * gives `output`: `T` (int32, int64)
///
/// Gradients do not flow through it. Has state or effects.
pub fn resource_count_up_to(resource: &Output, limit: i64, t: DataType) -> ForOutput {
    let mut node = NodeBuilder::new("ResourceCountUpTo").input(resource);
    node.set("limit", limit.into());
    node.set("T", t.into());
    ForOutput(node)
}
