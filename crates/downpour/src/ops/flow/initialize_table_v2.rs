//! `InitializeTableV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InitializeTableV2(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tkey` (any type)
/// * `values`: `Tval` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn initialize_table_v2(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("InitializeTableV2").input(table_handle).input(keys).input(values);
    ForOperation(node)
}
