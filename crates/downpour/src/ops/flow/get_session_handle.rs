//! `GetSessionHandle`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `GetSessionHandle(value) -> (handle)`.
///
/// * `value`: `T` (any type)
/// * gives `handle`: string
///
/// Gradients do not flow through it. Has state or effects.
pub fn get_session_handle(value: &Output) -> ForOutput {
    let node = NodeBuilder::new("GetSessionHandle").input(value);
    ForOutput(node)
}
