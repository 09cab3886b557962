//! `ReaderRestoreState`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderRestoreState(reader_handle, state) -> ()`.
///
/// * `reader_handle`: string, a reference
/// * `state`: string
///
/// Gradients do not flow through it.
pub fn reader_restore_state(reader_handle: &Output, state: &Output) -> ForOperation {
    let node = NodeBuilder::new("ReaderRestoreState").input(reader_handle).input(state);
    ForOperation(node)
}
