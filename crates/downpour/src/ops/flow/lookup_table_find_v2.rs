//! `LookupTableFindV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableFindV2(table_handle, keys, default_value) -> (values)`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
/// * `default_value`: `Tout` (any type)
/// * gives `values`: `Tout` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_find_v2(
    table_handle: &Output,
    keys: &Output,
    default_value: &Output,
) -> ForOutput {
    let node =
        NodeBuilder::new("LookupTableFindV2").input(table_handle).input(keys).input(default_value);
    ForOutput(node)
}
