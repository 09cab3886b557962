//! `LookupTableImport`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableImport(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tin` (any type)
/// * `values`: `Tout` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_import(table_handle: &Output, keys: &Output, values: &Output) -> ForOperation {
    let node = NodeBuilder::new("LookupTableImport").input(table_handle).input(keys).input(values);
    ForOperation(node)
}
