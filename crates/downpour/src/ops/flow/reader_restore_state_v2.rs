//! `ReaderRestoreStateV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderRestoreStateV2(reader_handle, state) -> ()`.
///
/// * `reader_handle`: resource
/// * `state`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_restore_state_v2(reader_handle: &Output, state: &Output) -> ForOperation {
    let node = NodeBuilder::new("ReaderRestoreStateV2").input(reader_handle).input(state);
    ForOperation(node)
}
