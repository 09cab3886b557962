//! `LoopCond`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `LoopCond(input) -> (output)`.
///
/// * `input`: bool
/// * gives `output`: bool
///
/// Gradients do not flow through it.
pub fn loop_cond(input: &Output) -> ForOutput {
    let node = NodeBuilder::new("LoopCond").input(input);
    ForOutput(node)
}
