//! `ReaderSerializeState`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderSerializeState(reader_handle) -> (state)`.
///
/// * `reader_handle`: string, a reference
/// * gives `state`: string
///
/// Gradients do not flow through it.
pub fn reader_serialize_state(reader_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReaderSerializeState").input(reader_handle);
    ForOutput(node)
}
