//! `ReaderReset`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderReset(reader_handle) -> ()`.
///
/// * `reader_handle`: string, a reference
///
/// Gradients do not flow through it.
pub fn reader_reset(reader_handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("ReaderReset").input(reader_handle);
    ForOperation(node)
}
