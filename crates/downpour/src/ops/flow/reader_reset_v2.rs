//! `ReaderResetV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderResetV2(reader_handle) -> ()`.
///
/// * `reader_handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_reset_v2(reader_handle: &Output) -> ForOperation {
    let node = NodeBuilder::new("ReaderResetV2").input(reader_handle);
    ForOperation(node)
}
