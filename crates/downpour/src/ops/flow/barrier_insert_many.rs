//! `BarrierInsertMany`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BarrierInsertMany(handle, keys, values) -> ()`.
///
/// * `handle`: string, a reference
/// * `keys`: string
/// * `values`: `T` (any type)
/// * `component_index`: attribute, int
///
/// Gradients do not flow through it.
pub fn barrier_insert_many(
    handle: &Output,
    keys: &Output,
    values: &Output,
    component_index: i64,
) -> ForOperation {
    let mut node = NodeBuilder::new("BarrierInsertMany").input(handle).input(keys).input(values);
    node.set("component_index", component_index.into());
    ForOperation(node)
}
