//! `BarrierReadySize`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `BarrierReadySize(handle) -> (size)`.
///
/// * `handle`: string, a reference
/// * gives `size`: int32
///
/// Gradients do not flow through it.
pub fn barrier_ready_size(handle: &Output) -> ForOutput {
    let node = NodeBuilder::new("BarrierReadySize").input(handle);
    ForOutput(node)
}
