//! `BroadcastArgs`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BroadcastArgs(s0, s1) -> (r0)`.
///
/// * `s0`: `T` (int32, int64)
/// * `s1`: `T` (int32, int64)
/// * gives `r0`: `T` (int32, int64)
///
/// Gradients do not flow through it.
pub fn broadcast_args(s0: &Output, s1: &Output) -> ForOutput {
    let node = NodeBuilder::new("BroadcastArgs").input(s0).input(s1);
    ForOutput(node)
}
