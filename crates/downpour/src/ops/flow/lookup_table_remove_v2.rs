//! `LookupTableRemoveV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableRemoveV2(table_handle, keys) -> ()`.
///
/// * `table_handle`: resource
/// * `keys`: `Tin` (any type)
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_remove_v2(table_handle: &Output, keys: &Output) -> ForOperation {
    let node = NodeBuilder::new("LookupTableRemoveV2").input(table_handle).input(keys);
    ForOperation(node)
}
