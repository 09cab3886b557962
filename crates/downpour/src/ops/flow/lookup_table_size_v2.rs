//! `LookupTableSizeV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableSizeV2(table_handle) -> (size)`.
///
/// * `table_handle`: resource
/// * gives `size`: int64
///
/// Gradients do not flow through it. Has state or effects.
pub fn lookup_table_size_v2(table_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("LookupTableSizeV2").input(table_handle);
    ForOutput(node)
}
