//! `LookupTableFind`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableFind(table_handle, keys, default_value) -> (values)`.
///
/// * `table_handle`: string, a reference
/// * `keys`: `Tin` (any type)
/// * `default_value`: `Tout` (any type)
/// * gives `values`: `Tout` (any type)
///
/// Gradients do not flow through it.
pub fn lookup_table_find(
    table_handle: &Output,
    keys: &Output,
    default_value: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("LookupTableFind").input(table_handle).input(keys).input(default_value);
    ForOutput(node)
}
