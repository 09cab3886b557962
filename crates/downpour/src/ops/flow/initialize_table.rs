//! `InitializeTable`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `InitializeTable(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tkey` (any type)
/// * `values`: `Tval` (any type)
///
/// Gradients do not flow through it.
pub fn initialize_table(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("InitializeTable").input(table_handle).input(keys).input(values);
    ForOperation(node)
}
