//! `GetSessionHandleV2`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GetSessionHandleV2(value) -> (handle)`.
///
/// * `value`: `T` (any type)
/// * gives `handle`: resource
///
/// Gradients do not flow through it. Has state or effects.
pub fn get_session_handle_v2(value: &Output) -> ForOutput {
    let node = NodeBuilder::new("GetSessionHandleV2").input(value);
    ForOutput(node)
}
