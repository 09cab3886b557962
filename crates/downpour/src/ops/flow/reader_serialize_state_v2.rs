//! `ReaderSerializeStateV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ReaderSerializeStateV2(reader_handle) -> (state)`.
///
/// * `reader_handle`: resource
/// * gives `state`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn reader_serialize_state_v2(reader_handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("ReaderSerializeStateV2").input(reader_handle);
    ForOutput(node)
}
