//! `LookupTableImportV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableImportV2(table_handle, keys, values) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
/// * `values`: `Tout` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_import_v2(
    table_handle: &Output,
    keys: &Output,
    values: &Output,
) -> ForOperation {
    let node =
        NodeBuilder::new("LookupTableImportV2").input(table_handle).input(keys).input(values);
    ForOperation(node)
}
