//! `LookupTableSize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LookupTableSize(table_handle) -> (size)`.
///
/// * `table_handle`: string, a reference
/// * gives `size`: int64
///
/// Gradients do not flow through it.
pub fn lookup_table_size(table_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("LookupTableSize").input(table_handle);
    ForOutput(node)
}
